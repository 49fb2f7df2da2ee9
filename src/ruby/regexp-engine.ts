import type { Json } from '../base/json/json-checks.ts'
import { throwArgumentError } from '../language/ruby-semantics/argument-error.ts'
import { type RegexpEngine, type RubyMatch, setEngine } from '../language/ruby-semantics/regexp/engine.ts'
import { RubyError, type RubyMachine } from './ruby-machine.ts'
import { createRubySandbox } from './ruby-sandbox.ts'
import { ownRuby, type RubyShare } from './worker-share.ts'

/** Uses Ruby, in this thread, for regular expressions that JavaScript does not support. */
export function installRubyRegexpEngine({ image }: RubyShare = ownRuby): void {
  setEngine(createRubyRegexpEngine(image))
}

/** Exceptions for an invalid pattern or text; any other exception means that the engine is broken. */
const refusals = new Set(['RegexpError', 'Regexp::TimeoutError', 'ArgumentError', 'Encoding::CompatibilityError'])

/** Ruby's regular expressions, in a separate machine that starts on first use, and again after a crash. */
function createRubyRegexpEngine(image: RubyShare['image']): RegexpEngine {
  let machine: RubyMachine | undefined
  const askRuby = (operation: string, ...args: readonly (string | number | boolean)[]): Json => {
    const isFresh = machine === undefined
    try {
      machine ??= createRubySandbox(image(), {})
      return machine.callAlone(operation, args)
    } catch (error) {
      const isRefused = error instanceof RubyError && refusals.has(error.kind)
      if (isRefused) throwArgumentError(error.diagnostic.message)
      if (!(error instanceof RubyError) && !machine?.isDead) throw error
      machine = undefined
      // An earlier pattern may have corrupted Ruby's engine: some invalid patterns write outside
      // their buffers.
      if (!isFresh) return askRuby(operation, ...args)
      if (error instanceof RubyError) throwArgumentError(error.diagnostic.message)
      throw error
    }
  }
  return {
    check: (source) => void askRuby('check_regexp', source),
    search: (source, text, from, how) =>
      JSON.parse(askRuby('search_regexp', source, text, from, how === 'all') as string) as RubyMatch[],
  }
}
