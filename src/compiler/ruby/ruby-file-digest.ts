import { hash } from 'node:crypto'
import { toBufferView } from '../../base/bytes/buffer-view.ts'
import { createGrowingLru } from '../../base/lru-cache.ts'
import type { CodeTree } from '../../code/environments/code-tree.ts'
import { stripRubyComments } from './ruby-comments.ts'

/** Digests by id of the file's content. */
const known = createGrowingLru<string>(20_000)

/** Matches code that may read its own source text or its position in the file. */
const looksAtItself = /__FILE__|__dir__|__END__|\bDATA\b|SCRIPT_LINES__|source_location/

/**
 * Returns a digest of the parts of a Ruby file that can affect its results: the code with its line numbers, without
 * comments. Empty if the file does not exist.
 */
export function computeRubyFileDigest(tree: CodeTree, path: string): string {
  const entry = tree.entry(path)
  if (entry?.kind !== 'file') return ''
  const answer = known.get(entry.oid) ?? digestRubyBytes(tree.read(path)) ?? entry.oid
  known.set(entry.oid, answer)
  return answer
}

/** Decodes the file as Latin-1, so that each byte is one character. */
function digestRubyBytes(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes && toBufferView(bytes).toString('latin1')
  const code = text === undefined || looksAtItself.test(text) ? undefined : stripRubyComments(text)
  return code === undefined ? undefined : `code:${hash('sha256', code, 'base64')}`
}
