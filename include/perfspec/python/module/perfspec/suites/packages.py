# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of torchvision and timm, and small ones of transformers, with random weights."""

from __future__ import annotations

import types

from .model import Model, at_least_single

WORDS, LENGTH, PIXELS = 2000, 64, 64
HEADS = {"albert": "MaskedLM", "bart": "Seq2SeqLM", "bert": "MaskedLM", "deit": "ImageClassification",
         "distilbert": "MaskedLM", "electra": "MaskedLM", "gpt2": "CausalLM", "llama": "CausalLM", "opt": "CausalLM",
         "qwen2": "CausalLM", "roberta": "MaskedLM", "t5": "Seq2SeqLM", "vit": "ImageClassification"}
# Each architecture has its own names for these, and ignores those of others.
SIZES = ((128, "hidden_size d_model dim n_embd word_embed_proj_dim n_positions"),
         (2, "num_hidden_layers num_layers encoder_layers decoder_layers n_layers n_layer num_key_value_heads"),
         (4, "num_attention_heads num_heads encoder_attention_heads decoder_attention_heads n_heads n_head"),
         (512, "intermediate_size encoder_ffn_dim decoder_ffn_dim ffn_dim hidden_dim d_ff"),
         (WORDS, "vocab_size"), (32, "d_kv"), (PIXELS, "image_size"), (8, "patch_size"),
         (0.0, "hidden_dropout_prob attention_probs_dropout_prob dropout attention_dropout dropout_rate"),
         (0.0, "resid_pdrop embd_pdrop attn_pdrop"))


def torchvision_model(name: str, batch: int) -> Model:
    import torch
    import torchvision

    options, side = {"aux_logits": False, "init_weights": True}, 299 if name == "inception_v3" else 224
    model = torchvision.models.get_model(name, weights=None, **(options if name == "googlenet" else {}))
    return Model(model, (torch.randn(batch, 3, side, side),))


def is_of_torchvision(name: str) -> bool:
    import torchvision

    return name in torchvision.models.list_models(module=torchvision.models)


def timm_model(name: str, batch: int) -> Model:
    import timm
    import torch

    model = timm.create_model(name, pretrained=False)
    return Model(model, (torch.randn(batch, *model.default_cfg["input_size"]),))


def is_of_timm(name: str) -> bool:
    import timm

    return timm.is_model(name)


def inputs_of(head: str, batch: int) -> dict:
    import torch

    if head == "ImageClassification":
        return {"pixel_values": torch.randn(batch, 3, PIXELS, PIXELS)}
    tokens = torch.randint(3, WORDS, (batch, LENGTH))  # the first ones mean padding, start and end
    inputs = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
    return inputs | ({"decoder_input_ids": tokens.flip(1)} if head == "Seq2SeqLM" else {})


def transformer(name: str, batch: int) -> Model:
    """With two layers of 128."""
    import transformers

    options = {option: size for size, names in SIZES for option in names.split()}
    config = transformers.AutoConfig.for_model(name, **options, use_cache=False, architectures=[])
    model = getattr(transformers, f"AutoModelFor{HEADS[name]}").from_config(config)
    loss_of = lambda output: at_least_single(output.logits).square().mean()  # noqa: E731
    return Model(model, (), inputs_of(HEADS[name], batch), loss_of)


SUITES = {
    "torchvision": types.SimpleNamespace(NEEDS=["torchvision"], make=torchvision_model, knows=is_of_torchvision, NAMES=[
        "alexnet", "densenet121", "efficientnet_b0", "googlenet", "mnasnet1_0", "mobilenet_v2", "mobilenet_v3_small",
        "regnet_y_400mf", "resnet18", "resnet50", "shufflenet_v2_x1_0", "squeezenet1_1", "vit_b_16"]),
    "timm": types.SimpleNamespace(NEEDS=["timm"], make=timm_model, knows=is_of_timm, NAMES=[
        "convnext_atto", "deit_tiny_patch16_224", "efficientnet_lite0", "ghostnet_100", "levit_128s",
        "mobilenetv3_small_100", "mobilevit_xxs", "regnetx_002", "resnet18", "resnet26", "tinynet_e", "vit_tiny_patch16_224"]),
    "huggingface": types.SimpleNamespace(NEEDS=["transformers"], make=transformer, NAMES=list(HEADS)),
}
