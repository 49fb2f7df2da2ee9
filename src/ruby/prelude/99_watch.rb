# All that comes from here on is modules' own.
Plumb::Changes.watch
Plumb::NamedFacts.watch
