import { refuse } from '../ruby-semantics/argument-error.ts'
import { type RegexpEngine, type RubyMatch, useEngine } from '../ruby-semantics/regexp/engine.ts'
import { RubyError, RubyMachine } from './machine.ts'
import { ownRuby, type RubyShare } from './ruby-share.ts'

/** Lets Ruby match, in this thread, what JavaScript cannot. */
export function useRubyForRegexps({ image }: RubyShare = ownRuby): void {
  useEngine(rubyRegexps(image))
}

/** Ruby's regular expressions, in a machine of their own that runs nothing else; it starts at the first question. */
function rubyRegexps(image: RubyShare['image']): RegexpEngine {
  let machine: RubyMachine | undefined
  const ask = (operation: string, ...args: readonly (string | number | boolean)[]) => {
    try {
      machine ??= new RubyMachine(image(), {})
      return machine.callAlone(operation, args)
    } catch (error) {
      if (machine?.isDead) machine = undefined
      if (error instanceof RubyError) refuse(error.diagnostic.message)
      throw error
    }
  }
  return {
    check: (source) => void ask('check_regexp', source),
    search: (source, text, from, how) =>
      JSON.parse(ask('search_regexp', source, text, from, how === 'all') as string) as RubyMatch[],
  }
}
