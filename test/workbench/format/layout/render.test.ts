import { describe, expect, it } from 'vitest'
import {
  blankLine,
  concat,
  type Document,
  group,
  hardLine,
  heredocBody,
  hug,
  ifBroken,
  indent,
  leadingComment,
  line,
  softLine,
  trailingComment,
  verbatim,
} from '../../../../src/workbench/format/layout/document.ts'
import { renderDocument } from '../../../../src/workbench/format/layout/render.ts'

const list = (...items: readonly Document[]) => {
  const content = items.flatMap((item, index) => (index === 0 ? [item] : [',', line, item]))
  return group(concat(['[', indent(concat([softLine, ...content, ifBroken(',')])), softLine, ']']))
}

describe('a document as lines of ten characters', () => {
  it.each<[string, Document, string]>([
    ['a group that fits', list('1', '2', '3'), '[1, 2, 3]\n'],
    ['a group that is too long', list('111', '222', '333'), '[\n  111,\n  222,\n  333,\n]\n'],
    ['a group with text after it', concat([list('1', '2'), ' abc']), '[1, 2] abc\n'],
    ['a group with too much text after it', concat([list('1', '2'), ' abcd']), '[\n  1,\n  2,\n] abcd\n'],
    ['a nested group', list(list('1', '2'), '33'), '[\n  [1, 2],\n  33,\n]\n'],
    ['a forced break', list('1', concat([hardLine, '2'])), '[\n  1,\n  2,\n]\n'],
    ['breaks in a row', concat(['a', hardLine, hardLine, 'b']), 'a\nb\n'],
    ['an empty line', concat(['a', blankLine, blankLine, hardLine, 'b']), 'a\n\nb\n'],
    ['no empty line at the start', concat([blankLine, 'a']), 'a\n'],
    ['spaces before a break', concat(['a', ' ', ' ', hardLine, ' ', 'b']), 'a\nb\n'],
    ['a comment before a comma', concat(['a', trailingComment('# c', false), ',', hardLine, 'b']), 'a, # c\nb\n'],
    [
      'two comments on a line',
      concat(['a', trailingComment('# c', false), ',', trailingComment('# d', false), hardLine, 'b']),
      'a, # c\n# d\nb\n',
    ],
    ['text after a line comment', concat([leadingComment('# c', false), 'a']), '# c\na\n'],
    ['a block comment', concat(['a', trailingComment('/* c */', true), ',']), 'a /* c */,\n'],
    ['a string of several lines', list(verbatim("'a\nb'"), '1'), "['a\nb', 1]\n"],
    ['heredocs', concat(['@(A)', heredocBody('a\nA\n'), ', @(B)', heredocBody('B\n')]), '@(A), @(B)\na\nA\nB\n'],
    ['a hugged list', concat(['f(', hug(list('11111', '22222')), ')']), 'f([\n    11111,\n    22222,\n])\n'],
    ['nothing', concat(['', '']), ''],
  ])('%s', (_, document, text) => {
    expect(renderDocument(document, 10)).toBe(text)
  })
})
