import { installRubyRegexpEngine } from '../../src/ruby/regexp-engine.ts'

// As src/cli/program.ts and the workers do.
installRubyRegexpEngine()
