import { useRubyForRegexps } from '../../src/ruby/regexp-engine.ts'

// As src/main.ts and the workers do.
useRubyForRegexps()
