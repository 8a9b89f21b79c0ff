# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# Small transformers with random weights, as a suite:  python -m perfspec models --suite huggingface.py --output results.jsonl
import perfspec.suites as suites

NEEDS = ("torch", "transformers")
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
NAMES = list(HEADS)


def inputs_of(head, batch):
    import torch

    if head == "ImageClassification":
        return {"pixel_values": torch.randn(batch, 3, PIXELS, PIXELS)}
    tokens = torch.randint(3, WORDS, (batch, LENGTH))  # the first ones mean padding, start and end
    inputs = {"input_ids": tokens, "attention_mask": torch.ones_like(tokens)}
    return inputs | ({"decoder_input_ids": tokens.flip(1)} if head == "Seq2SeqLM" else {})


def loss_of(output):
    return output.logits.float().square().mean()


def make(name, batch):
    import transformers

    options = {option: size for size, names in SIZES for option in names.split()}
    config = transformers.AutoConfig.for_model(name, **options, use_cache=False, architectures=[])
    model = getattr(transformers, f"AutoModelFor{HEADS[name]}").from_config(config)
    return suites.Model(model, (), inputs_of(HEADS[name], batch), loss_of)
