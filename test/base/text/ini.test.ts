import { describe, expect, it } from 'vitest'
import { parseIniLines } from '../../../src/base/text/ini.ts'

const syntax = {
  blank: /^\s*(?:#|$)/,
  header: /^\[(?<section>\w+)\]$/,
  setting: /^(?<name>\w+)=(?<value>.*)$/s,
}

describe('the lines of an INI file', () => {
  it('are headers, settings with trimmed values, blank lines and others, with their places', () => {
    expect([...parseIniLines('# a\n[b]\nc= d \r\n?\n', syntax)]).toEqual([
      { kind: 'blank', text: '# a', number: 1, start: 0 },
      { kind: 'header', section: 'b', text: '[b]', number: 2, start: 4 },
      { kind: 'setting', name: 'c', value: 'd', text: 'c= d \r', number: 3, start: 8 },
      { kind: 'other', text: '?', number: 4, start: 15 },
      { kind: 'blank', text: '', number: 5, start: 17 },
    ])
  })
})
