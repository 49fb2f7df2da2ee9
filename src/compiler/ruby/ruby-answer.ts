import { hash } from 'node:crypto'
import { bufferView } from '../../base/bytes/buffer-view.ts'
import { growingLru } from '../../base/growing-lru.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { withoutComments } from './without-comments.ts'

/** Answers by the contents of files. */
const known = growingLru<string>(20_000)

/** Words of code that may look at its own text. */
const looksAtItself = /__FILE__|__dir__|__END__|\bDATA\b|SCRIPT_LINES__|source_location/

/** Names all that a file of Ruby means: its code, on its lines, without comments. Empty where there is no such file. */
export function rubyAnswer(tree: CodeTree, path: string): string {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return ''
  const answer = known.get(entry.oid) ?? answerFor(tree.read(path)) ?? entry.oid
  known.set(entry.oid, answer)
  return answer
}

/** Characters are bytes, whatever their encoding is. */
function answerFor(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes && bufferView(bytes).toString('latin1')
  const code = text === undefined || looksAtItself.test(text) ? undefined : withoutComments(text)
  return code === undefined ? undefined : `code:${hash('sha256', code, 'base64')}`
}
