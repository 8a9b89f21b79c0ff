# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
#
# A suite of your own models:  python -m perfspec models --suite own_suite.py --output results.jsonl
# A row for each of NAMES says what torch.compile makes of it. If a run is stopped, --resume runs the rest.
import perfspec.suites as suites

NAMES = ["mlp", "encoder"]
NEEDS = ("torch",)


def make(name, batch):
    import torch

    if name == "mlp":
        return suites.Model(torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.GELU(), torch.nn.Linear(512, 256)), (torch.randn(batch, 256),))
    layer = torch.nn.TransformerEncoderLayer(d_model=64, nhead=4, dim_feedforward=128, batch_first=True)
    return suites.Model(torch.nn.TransformerEncoder(layer, num_layers=2), (torch.randn(batch, 32, 64),))
