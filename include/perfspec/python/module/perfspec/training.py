# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a step of training did to the models that its body names as its state, and how far that of a candidate lies from that of a reference.

A step returns the loss from before it changed anything, so its result says nothing of the backward pass and of the optimizer.
"""

from __future__ import annotations

import math
import typing

from . import libraries

if typing.TYPE_CHECKING:
    from .subjects import Subject

MOST = 0.25  # that two steps differ by, as a part of the size of the reference's
MOST_UNKNOWN = 1.2  # where no gradient tells which elements are noise, of which Adam makes full steps in either direction
SHARE = 0.03  # of the size of all gradients or changes: parameters of less are not judged by themselves
LEAST = 0.01  # of the largest gradient: smaller ones may be noise, as those of a bias before batch normalisation
AGREE = 0.1  # relative difference of gradients whose updates are to agree
NOISE = 0.5  # by which gradients of a reference differ from each other that say nothing
ALTERED = 2.0 ** -8  # relative change of parameters, as half precision rounds
SQUARES = (1e-12, 1e12)  # sizes of which single precision has the squares
GRADIENTS, CHANGES, ONE_DIRECTION = "gradients", "changes", "changes in one direction"


class Change(typing.NamedTuple):
    """Of one parameter, in memory of the processor."""

    name: str
    update: typing.Any  # what it holds after the step, less what it held before
    gradient: typing.Any  # after the step, or None
    rounding: float  # size of what rounding the parameter makes of its update; 0 where it stayed as it was


class Step(typing.NamedTuple):
    """What a step did to one model, and for a reference by which parts of their size its own numbers differ from run to run."""

    model: str
    changes: list[Change]
    own: dict[str, float] = {}

    def trained(self) -> bool:
        """Whether it changed parameters by more than their rounding."""
        return not total(size(each.update) for each in self.changes) <= total(each.rounding for each in self.changes)

    def left_all(self) -> bool:
        return not any(bool(each.update.any()) for each in self.changes if not is_nothing(each.update))


class Distance(typing.NamedTuple):
    """Of two steps in one respect."""

    what: str
    part: float  # of the size of the reference's
    most: float
    worst: str  # the parameter that has most of it


class Pair(typing.NamedTuple):
    """Numbers of one parameter: of the reference, and of the candidate."""

    name: str
    expected: typing.Any
    found: typing.Any
    rounding: float = 0.0


def models_of(subject: Subject) -> list[tuple[typing.Any, typing.Mapping]]:
    """The models of its state, each with what it held after loading."""
    torch = libraries.torch()
    return [] if torch is None else [pair for pair in zip(subject.state, subject.initial) if libraries.is_a(pair[0], torch.nn.Module)]


def local(tensor: typing.Any) -> typing.Any:
    """Without gradients; of a distributed tensor the part of this process."""
    return tensor.to_local().detach() if hasattr(tensor, "to_local") else tensor.detach()


def numbers(tensor: typing.Any) -> typing.Any:
    """A copy in memory of the processor, in single precision or double."""
    torch = libraries.torch()
    tensor = local(tensor)
    tensor = tensor if tensor.layout == torch.strided else tensor.to_dense()
    tensor = torch.view_as_real(tensor) if tensor.is_complex() else tensor
    return tensor.to("cpu", torch.float64 if tensor.dtype == torch.float64 else torch.float32, copy=True)


def is_judged(parameter: typing.Any) -> bool:
    """Whether it holds plain numbers: what classes of other libraries hold is not known, and of eight bits little can be computed."""
    torch = libraries.torch()
    plain = getattr(type(parameter), "__torch_dispatch__", None) == getattr(torch.Tensor, "__torch_dispatch__", None)
    in_memory = not parameter.is_meta and parameter.layout == torch.strided and parameter.element_size() > 1
    return in_memory and (plain or hasattr(parameter, "to_local")) and (parameter.is_floating_point() or parameter.is_complex())


def parameters_of(subject: Subject) -> list:
    """Of all models; none where one of them cannot name its own."""
    try:
        return [each for model, _ in models_of(subject) for each in model.parameters()]
    except Exception:
        return []


def gradients_of(subject: Subject) -> list[tuple]:
    """Parameters that have gradients now, each with a copy of its gradient."""
    return [(each, each.grad.detach().clone()) for each in parameters_of(subject) if each.grad is not None]


def put_gradients(subject: Subject) -> None:
    """Those that were there after loading are as they were then, in the same memory: a step of an optimizer alone works on them, and a captured graph
    reads them there."""
    for parameter, before in subject.gradients:
        try:
            parameter.grad.detach().copy_(before)
        except (AttributeError, RuntimeError):  # there is none now, or one that cannot be written to, as an expanded one
            parameter.grad = before.clone()


def begin_gradients(subject: Subject) -> None:
    """Those that earlier calls left count for nothing. Their tensors stay: a captured graph writes to them. What a step leaves there afterwards stays,
    too, because a body may return it."""
    known = {id(parameter) for parameter, _ in subject.gradients}
    for each in parameters_of(subject):
        if each.grad is not None and id(each) not in known:
            each.grad.detach().zero_()
    put_gradients(subject)


def alter(subject: Subject) -> list[dict]:
    """Changes all parameters that may be trained a little, by the same numbers each time. Returns what each model holds now."""
    torch, held = libraries.torch(), []
    generator = torch.Generator().manual_seed(libraries.SEED)
    for model, initial in models_of(subject):
        known = {name: each for name, each in model.named_parameters() if name in initial and each.requires_grad and is_judged(each)}
        for each in map(local, known.values()):
            each.mul_(1 + ALTERED * (2 * torch.rand(each.shape, generator=generator) - 1).to(each.device))
        held.append({**initial, **{name: local(each).clone() for name, each in known.items()}})
    return held


def is_nothing(update: typing.Any) -> bool:
    """Whether it is the zeros of one that stayed as it was."""
    return update.dim() > 0 and not any(update.stride())


def size(tensor: typing.Any) -> float:
    """In double precision, which takes ten times as long, only where squares are too small or too large for single precision."""
    torch = libraries.torch()
    if is_nothing(tensor):
        return 0.0
    found = float(torch.linalg.vector_norm(tensor))
    return found if SQUARES[0] < found < SQUARES[1] else float(torch.linalg.vector_norm(tensor, dtype=torch.float64))


def apart_of(expected: typing.Any, found: typing.Any) -> float:
    return 0.0 if is_nothing(expected) and is_nothing(found) else size(found - expected)


def total(sizes: typing.Iterable[float]) -> float:
    return math.hypot(*sizes)


def change_of(name: str, parameter: typing.Any, before: typing.Any) -> Change:
    """The update is zeros that take no memory for one that stayed as it was, as most do of a large model that is tuned."""
    torch, name = libraries.torch(), name.replace("_orig_mod.", "")
    gradient = None if parameter.grad is None else numbers(parameter.grad)
    if torch.equal(local(parameter), local(before)):
        same = torch.view_as_real(local(before)) if before.is_complex() else local(before)
        return Change(name, torch.zeros(()).expand(same.shape), gradient, 0.0)
    held = numbers(before)
    rounding = torch.finfo(parameter.dtype).eps * size(held)  # twice half of it: a moving average rounds a product and a sum
    return Change(name, held.neg_().add_(numbers(parameter)), gradient, rounding)


def step_of(model: typing.Any, before: typing.Mapping) -> Step:
    changes = [change_of(name, each, before[name]) for name, each in model.named_parameters() if name in before and is_judged(each)]
    return Step(type(getattr(model, "_orig_mod", model)).__name__, changes)


def steps_of(subject: Subject, before: list | None = None) -> list[Step]:
    """What a step that has just run did to each model; nothing where that cannot be told, as for tensors of other libraries, which raise what they like.

    before  what each held; None: what it held after loading
    """
    models = models_of(subject)
    held = [initial for _, initial in models] if before is None else before
    try:
        return [step_of(model, known) for (model, _), known in zip(models, held)]
    except Exception:
        return []


def distance(what: str, pairs: list[Pair], most: float = MOST) -> list[Distance]:
    """Euclidean, over all parameters. Nothing where the reference has nothing but zeros, or no finite numbers."""
    expected = total(size(each.expected) for each in pairs)
    if not 0 < expected < math.inf:
        return []
    apart = {each.name: apart_of(each.expected, each.found) for each in pairs}
    rounding = total(each.rounding for each in pairs)
    worst = max(apart, key=lambda name: math.inf if math.isnan(apart[name]) else apart[name])
    whole = total(apart.values())
    return [Distance(what, whole / expected if whole > rounding or math.isnan(whole) else 0.0, most, worst)]


def of_gradients(pairs: list[Pair]) -> list[Distance]:
    """Of all together, and of each parameter that has a part of them. Nothing where the candidate set its own to zero after the step."""
    if not any(bool(each.found.any()) for each in pairs):
        return []
    least = SHARE * total(size(each.expected) for each in pairs)
    single = [found for each in pairs if size(each.expected) >= least for found in distance(f"{GRADIENTS} of {each.name}", [each])]
    return distance(GRADIENTS, pairs) + single


def pair_of(expected: Change, found: Change) -> Pair:
    return Pair(expected.name, expected.update, found.update, max(expected.rounding, found.rounding))


def chosen(name: str, expected: Change, found: Change, keep: typing.Any) -> Pair:
    """The updates of some elements."""
    whole = pair_of(expected, found)
    return Pair(name, whole.expected[keep], whole.found[keep], whole.rounding * math.sqrt(float(keep.sum()) / max(keep.numel(), 1)))


def of_left_out(both: list[tuple[Change, Change]], gradients: bool) -> list[Distance]:
    """Of parameters that the reference changes, with a part of all changes, and that the candidate leaves exactly as they were.

    gradients  whether there are any: parameters that have one are judged by it
    """
    least = SHARE * total(size(expected.update) for expected, _ in both)
    return [Distance(f"{CHANGES} of {expected.name}", 1.0, MOST, expected.name) for expected, found in both
            if size(expected.update) > max(least, expected.rounding) and not size(found.update) and (found.gradient is None or not gradients)]


def agree(both: list[tuple[Change, Change]]) -> bool:
    """Whether all changes together, and those of each parameter that has a part of them, are nearly the same and more than rounding. Then gradients that
    are left say nothing: a step may use them for other models, or scale them elsewhere."""
    whole = total(size(expected.update) for expected, _ in both)
    if not total(expected.rounding for expected, _ in both) < whole < math.inf:
        return False
    apart = [(apart_of(expected.update, found.update), size(expected.update)) for expected, found in both]
    return total(each for each, _ in apart) <= MOST * whole and all(each <= MOST * of for each, of in apart if of >= SHARE * whole)


def is_new(found: Change) -> bool:
    """Whether a candidate trains a parameter that has no gradient in the reference."""
    return found.gradient is not None and bool(found.gradient.any())


def of_known_updates(both: list[tuple[Change, Change]]) -> list[Distance]:
    """Of elements whose gradients are more than noise and agree, and of parameters that one side gives no gradient, as frozen ones."""
    largest, pairs = max(float(expected.gradient.abs().max()) for expected, _ in both if expected.gradient is not None and expected.gradient.numel()), []
    for expected, found in both:
        if found.gradient is None or (expected.gradient is None and is_new(found)):
            pairs.append(pair_of(expected, found))
        elif expected.gradient is not None:
            height = expected.gradient.abs()
            keep = (height >= LEAST * largest) & ((found.gradient - expected.gradient).abs() <= AGREE * height)
            pairs.append(chosen(expected.name, expected, found, keep))
    return distance(CHANGES, pairs)


def of_unknown_updates(both: list[tuple[Change, Change]]) -> list[Distance]:
    """Where no gradients are left: of all elements, and of those that move in one direction, if these are most of the change."""
    whole = [pair_of(*each) for each in both]
    alike = [chosen(expected.name, expected, found, expected.update * found.update > 0) for expected, found in both]
    most_of_it = total(size(each.expected) for each in alike) >= math.sqrt(0.5) * total(size(each.expected) for each in whole)
    return distance(CHANGES, whole, MOST_UNKNOWN) + (distance(ONE_DIRECTION, alike) if most_of_it else [])


def both_of(expected: Step, found: Step) -> list[tuple[Change, Change]]:
    """What two steps did to each parameter; nothing for models whose parameters have other names or shapes."""
    shapes = [[(each.name, each.update.shape) for each in step.changes] for step in (expected, found)]
    by_name = {each.name: each for each in found.changes}
    return [(each, by_name[each.name]) for each in expected.changes] if sorted(shapes[0]) == sorted(shapes[1]) else []


def is_same(both: list[tuple[Change, Change]]) -> bool:
    """Whether two steps did the very same, as those of most references do."""
    equal = libraries.torch().equal
    return all(equal(a.update, b.update) and (a.gradient is b.gradient if a.gradient is None or b.gradient is None else equal(a.gradient, b.gradient)) for a, b in both)


def distances(both: list[tuple[Change, Change]]) -> list[Distance]:
    """In all respects."""
    gradients = of_gradients([Pair(a.name, a.gradient, b.gradient) for a, b in both if a.gradient is not None and b.gradient is not None])
    return gradients + (of_known_updates(both) if gradients else of_unknown_updates(both)) + of_left_out(both, bool(gradients))


def if_steady(first: list[Step], second: list[Step]) -> list[Step]:
    """The first of two steps of a reference from one start, without the models that both change otherwise: a step that counts its calls outside of the
    state, as for a learning rate that grows, or to change parameters in every second call, says nothing of the first step of a candidate."""
    def is_steady(one: Step, other: Step) -> bool:
        apart = distance(CHANGES, [pair_of(*each) for each in both_of(one, other)])
        return one.trained() == other.trained() and not any(each.part > each.most for each in apart)

    if len(first) != len(second):
        return []
    return [one if is_steady(one, other) else one._replace(changes=[]) for one, other in zip(first, second)]


def with_own(steps: list[Step], others: list[Step]) -> list[Step]:
    """Steps of a reference with what they differ by from others of its own, which begin from the same or from slightly altered parameters: a step
    whose gradients are noise, or which half precision makes coarse, differs from itself."""
    if len(others) != len(steps):
        return steps
    found = []
    for step, other in zip(steps, others):
        own = dict(step.own)
        both = both_of(step, other)
        for each in [] if is_same(both) else distances(both):
            own[each.what] = max(own.get(each.what, 0.0), each.part if each.part >= 0 else math.inf)
        found.append(step._replace(own=own))
    return found


def text_of(candidate: str, model: str, apart: Distance, most: float) -> str:
    by = f"by {apart.part:.2g} times the size of the reference's (at most {most:.2g}), most in {apart.worst}"
    if apart.what.startswith(GRADIENTS):
        return (f"both return the same, and the step of the candidate {candidate} gives the parameters of its {model} other gradients than that of the reference: "
                f"they differ {by}: is its backward pass right, and does it begin at the loss that the body returns?")
    return (f"both return the same, and the step of the candidate {candidate} changes the parameters of its {model} otherwise than that of the reference: "
            f"the two changes differ {by}: have both the same optimizer, learning rate and gradients?")


def most_of(apart: Distance, own: dict[str, float]) -> float:
    """What is allowed: twice what the reference differs by from itself, where that is more. Single parameters may be as coarse as all are together."""
    itself = own.get(apart.what, 0.0)
    if apart.what.startswith(GRADIENTS):
        itself = max(itself, own.get(GRADIENTS, 0.0))
        itself = itself if itself < NOISE else math.inf
    return max(apart.most, 2 * itself)


def untrained(candidate: str, expected: list[Step], found: list[Step]) -> str:
    left = [mine.model for wanted, mine in zip(expected, found) if wanted.trained() and mine.left_all()]
    return left and (f"both return the same, and the step of the reference changes parameters, while the candidate {candidate} leaves all of its "
                     f"{' and its '.join(left)} as they were: does it call backward() and the optimizer's step(), and has the optimizer the parameters of this model?")


def fault_of(candidate: str, expected: list[Step], found: list[Step]) -> str:
    """What the step of a candidate does otherwise than that of the reference; empty for nothing. Both name their models in one order."""
    if len(expected) != len(found):
        return ""
    if text := untrained(candidate, expected, found):
        return text
    for wanted, mine in zip(expected, found):
        both = both_of(wanted, mine)
        for apart in [] if is_same(both) or agree(both) else distances(both):
            most = most_of(apart, wanted.own)
            if not apart.part <= most:  # NaN is too far
                return text_of(candidate, mine.model, apart, most)
    return ""
