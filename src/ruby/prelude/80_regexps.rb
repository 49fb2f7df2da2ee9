# Regular expressions that the host cannot match itself.
module Plumb
  module Regexps
    MOST = 500
    KNOWN = {}

    module_function

    def of(source)
      KNOWN.clear if KNOWN.size >= MOST
      KNOWN[source] ||= Regexp.new(source)
    end

    # The first occurrence from an offset on, or all, as `gsub` finds them: JSON.
    def search(source, text, from, all)
      pattern = of(source)
      found = []
      while from <= text.length && (match = pattern.match(text, from))
        found << [match.begin(0), match.to_a, match.named_captures.to_a]
        break unless all

        from = match.end(0) == match.begin(0) ? match.end(0) + 1 : match.end(0)
      end
      JSON.generate(found)
    end
  end
end
