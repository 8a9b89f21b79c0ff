# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models of transformers with two small layers each, from the configurations below, with random weights."""

from __future__ import annotations

import typing

from .model import Model, at_least_single

NEEDS = ("transformers",)
WORDS, LENGTH = 2000, 64
PIXELS = 64

BERT = {"vocab_size": WORDS, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512, "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0}
LLAMA = {"vocab_size": WORDS, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 512,
         "use_cache": False, "pad_token_id": 0}
BART = {"vocab_size": WORDS, "d_model": 128, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
        "encoder_ffn_dim": 512, "decoder_ffn_dim": 512, "dropout": 0.0, "use_cache": False}
VIT = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 512, "image_size": PIXELS, "patch_size": 8,
       "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}


class Recipe(typing.NamedTuple):
    config: str  # names of classes of transformers
    model: str
    options: dict
    inputs: str  # "tokens", "both" (tokens of encoder and decoder), "images"


RECIPES = {
    "albert": Recipe("AlbertConfig", "AlbertForMaskedLM", {**BERT, "embedding_size": 64}, "tokens"),
    "bart": Recipe("BartConfig", "BartForConditionalGeneration", BART, "both"),
    "bert": Recipe("BertConfig", "BertForMaskedLM", BERT, "tokens"),
    "deit": Recipe("DeiTConfig", "DeiTForImageClassification", VIT, "images"),
    "distilbert": Recipe("DistilBertConfig", "DistilBertForMaskedLM", {"vocab_size": WORDS, "dim": 128, "n_layers": 2, "n_heads": 4, "hidden_dim": 512,
                                                                      "dropout": 0.0, "attention_dropout": 0.0}, "tokens"),
    "electra": Recipe("ElectraConfig", "ElectraForMaskedLM", BERT, "tokens"),
    "gpt2": Recipe("GPT2Config", "GPT2LMHeadModel", {"vocab_size": WORDS, "n_embd": 128, "n_layer": 2, "n_head": 4, "n_positions": 128, "resid_pdrop": 0.0,
                                                     "embd_pdrop": 0.0, "attn_pdrop": 0.0, "use_cache": False}, "tokens"),
    "llama": Recipe("LlamaConfig", "LlamaForCausalLM", LLAMA, "tokens"),
    "opt": Recipe("OPTConfig", "OPTForCausalLM", {"vocab_size": WORDS, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 512,
                                                  "word_embed_proj_dim": 128, "dropout": 0.0, "use_cache": False}, "tokens"),
    "qwen2": Recipe("Qwen2Config", "Qwen2ForCausalLM", LLAMA, "tokens"),
    "roberta": Recipe("RobertaConfig", "RobertaForMaskedLM", BERT, "tokens"),
    "t5": Recipe("T5Config", "T5ForConditionalGeneration", {"vocab_size": WORDS, "d_model": 128, "d_kv": 32, "d_ff": 512, "num_layers": 2, "num_heads": 4,
                                                            "dropout_rate": 0.0, "use_cache": False}, "both"),
    "vit": Recipe("ViTConfig", "ViTForImageClassification", VIT, "images"),
}
NAMES = list(RECIPES)


def inputs_of(kind: str, batch: int) -> dict:
    import torch

    if kind == "images":
        return {"pixel_values": torch.randn(batch, 3, PIXELS, PIXELS)}
    tokens = torch.randint(3, WORDS, (batch, LENGTH))  # the first ones mean padding, start and end
    return {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)} | ({"decoder_input_ids": tokens.flip(1)} if kind == "both" else {})


def loss_of(output):
    return at_least_single(output.logits).square().mean()


def make(name: str, batch: int) -> Model:
    import transformers

    recipe = RECIPES[name]
    config = getattr(transformers, recipe.config)(**recipe.options)
    return Model(getattr(transformers, recipe.model)(config), (), inputs_of(recipe.inputs, batch), loss_of)
