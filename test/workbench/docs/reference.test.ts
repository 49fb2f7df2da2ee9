import { expect, it } from 'vitest'
import { formatReference } from '../../../src/workbench/docs/markdown/markdown.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { askStrings, cases, readDocs, writeModule } from './cases.ts'

// `STRINGS_LIBRARIES` names the folders `lib` of puppet-strings 5 and of YARD; Debian's puppet-strings writes another form.
const strings = recordedAnswers(import.meta.filename, 'puppet-strings 5.0.0')

const libraries = process.env['STRINGS_LIBRARIES']?.split(':') ?? []
const expected = strings.all<string>(cases, () => askStrings('markdown', libraries))

it.each(Object.entries(cases))('%s: REFERENCE.md', (name, text) => {
  expect(formatReference(readDocs(writeModule(text)))).toBe(expected[name])
})
