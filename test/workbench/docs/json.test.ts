import { expect, it } from 'vitest'
import { formatJson } from '../../../src/workbench/docs/json.ts'
import { recordedAnswers } from '../../support/recorded-answers.ts'
import { askStrings, cases, readDocs, writeModule } from './cases.ts'

const strings = recordedAnswers(import.meta.filename, 'puppet-strings 2.9.0')

/** Cases that Debian's version reads otherwise than puppet-strings 5: see reference.test.ts. */
const newer = new Set(['selector-default'])

const expected = strings.all<string>(cases, () => askStrings('json'))

it.each(Object.entries(cases).filter(([name]) => !newer.has(name)))('%s: JSON', (name, text) => {
  expect(JSON.parse(formatJson(readDocs(writeModule(text))))).toEqual(JSON.parse(expected[name]!))
})
