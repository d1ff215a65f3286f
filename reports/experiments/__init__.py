"""Experiments: numbers of several runs beside each other, what changed, and one page about it.

Run folders -> ``quantities`` -> ``differences`` -> a page a kind of experiment. As everywhere in
``reports``, nothing here plays a game: ``simulate.experiments`` does that and calls these.
"""
