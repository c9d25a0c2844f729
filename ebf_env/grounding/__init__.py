"""What an agent may use to read an observation: phrases of an instruction, fields of the records shown to it.

Everything here works on text that an agent is given and on public conventions. World, tasks, decisions, scoring,
environments, evaluation and the generator never import it: labels must not depend on how an agent reads.
"""
