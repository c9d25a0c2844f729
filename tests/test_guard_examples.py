"""The two examples of guarding one's own tools."""

from __future__ import annotations

import pytest

from ebf_baselines.gating import Execute
from ebf_env.decisions import Clarify
from examples import guard_function, guard_openai_tools


def test_an_agents_tool_call_is_executed_on_an_id_or_asked_about(capsys):
    executed = guard_openai_tools.guarded("Tell Alex from the Launch team that I am ready", guard_openai_tools.RECORDED)
    assert isinstance(executed, Execute)
    assert executed.call.bindings == {"contact": "c1"}
    assert executed.call.arguments == {"text": "Ready when you are."}
    asked = guard_openai_tools.guarded("Tell Alex that I am ready", guard_openai_tools.RECORDED)
    assert isinstance(asked, Clarify)
    assert "Alex Kumar" in asked.question
    guard_openai_tools.main()
    assert "execute send_message" in capsys.readouterr().out


def test_a_guarded_function_runs_only_on_what_is_meant(capsys):
    close = guard_function.close_ticket
    assert close("Close the checkout crash in payments", ticket="T-1") == "closed T-1"
    with pytest.raises(guard_function.NotSureError, match=r"payments.*mobile"):
        close("Close the checkout crash", ticket="T-1")
    with pytest.raises(guard_function.NotSureError):
        close("Close the slow search ticket", ticket="T-1")
    guard_function.main()
    assert "closed T-1" in capsys.readouterr().out
