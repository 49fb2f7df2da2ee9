import { PuppetError } from '../../../dist/base/issue.js'
import { parseManifest } from '../../../dist/language/syntax/parser/parser.js'
import { toPn } from '../../../dist/language/syntax/tree/pn.js'
import { formatPn } from '../../../dist/language/syntax/tree/pn-text.js'
import { formatManifest } from '../../../dist/workbench/format/format.js'
import { allowing, must, textOf } from '../target.js'
import puppet from './puppet.js'

/** Errors that only a fault of the formatter causes. */
const faults = ['FORMAT_CHANGES_TREE', 'FORMAT_LOSES_COMMENT', 'FORMAT_UNSTABLE']

/** Manifests as the formatter reads them: the same tree in another layout, or an error with its place. @type {import('../target.js').Target} */
export default {
  name: 'format',
  seeds: [
    ...puppet.seeds,
    '# doc\nclass a($b, # one\n  String $c="d") { # two\n\n\n  # three\n  file{"/a": # four\n    mode=>1;"/b":}\n  /* five */ }\n',
    '$a = [ # one\n 1 # two\n , /* three */ 2\n # four\n ]\n$b=$c and # five\n $d\nif $a { } # six\n# seven\nelse { f(1, { a => 2,\n b => 3 }) |$x| { } }\n',
    'f(@(A), @("B")) # c\n x\n | A\n $y\n | B\n$a = "$b ${c} $d[1]".e.f\n  .g |$x| { 1; -2 }\nA <| b == c |> -> # d\nB["c"] { d +> 1, * => $e }\n',
  ],
  dictionary: [...(puppet.dictionary ?? []), '# c\n', '\n# c\n', '/* c */', '\n\n', ' ', ', '],
  nsPerByte: 20_000,
  run(bytes) {
    const text = textOf(bytes)
    const formatted = allowing([PuppetError], () => format(text))
    if (formatted === undefined) return
    must(dump(formatted) === dump(text), 'another syntax tree')
    must(format(formatted) === formatted, 'another layout the second time')
  },
}

/** @param {string} text */
function format(text) {
  try {
    return formatManifest({ file: 'f.pp', text }, { width: 60 })
  } catch (error) {
    if (error instanceof PuppetError) {
      must(error.diagnostic.span !== undefined, 'an error without a place')
      must(!faults.includes(error.diagnostic.code), error.message)
    }
    throw error
  }
}

/** @param {string} text */
function dump(text) {
  return formatPn(toPn(parseManifest({ file: 'f.pp', text })), false)
}
