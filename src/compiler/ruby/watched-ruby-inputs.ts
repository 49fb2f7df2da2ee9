import type { Surroundings } from '../../ruby/session/surroundings.ts'
import type { InputRead } from '../../ruby/vm/ruby-engine.ts'
import type { Reads } from '../reads/compilation-reads.ts'
import type { RubyInputs } from './ruby-inputs.ts'
import type { RubyView } from './ruby-view.ts'

/** Returns Ruby's view of an environment, in a form that records reads. */
export function watchRubyView({ pathAnswer, folderAnswer, time }: RubyView, reads: Reads): RubyView {
  return {
    pathAnswer(path) {
      reads.note('ruby-path', path)
      return pathAnswer(path)
    },
    folderAnswer(path) {
      reads.note('ruby-folder', path)
      return folderAnswer(path)
    },
    get time() {
      reads.note('time')
      return time
    },
  }
}

type Code = Pick<Surroundings, 'codeAt'>

/**
 * Records that Ruby read an input. Code files that belong to no function are not recorded here: the digest of all such
 * code is recorded instead.
 */
export function recordRubyInput({ kind, path }: Pick<InputRead, 'kind' | 'path'>, reads: Reads, code: Code): void {
  if (kind === 'path' && code.codeAt(path) === 'other') return
  if (kind === 'chance') reads.spoil('Ruby uses random numbers')
  else if (kind === 'clock') reads.note('time')
  else reads.note(kind === 'path' ? 'ruby-path' : 'ruby-folder', path)
}

/** Records the reads of all inputs that Ruby may have cached so far. */
export function recordRubyInputs(sights: RubyInputs, reads: Reads, code: Code): void {
  const kept = sights.kept()
  if (!kept) reads.spoil('Ruby read more files than the limit for comparison')
  else for (const sight of kept) recordRubyInput(sight, reads, code)
}
