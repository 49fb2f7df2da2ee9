import { describe, expect, it } from 'vitest'
import {
  getParameter,
  listParameterValues,
  mergeParameters,
  parseParameters,
} from '../../../src/server/http/parameters.ts'
import { fc } from '../../support/properties.ts'

describe('parameters', () => {
  it('are decoded as browsers decode them, but for those that a client may not give', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('%', '%zz', '%ff', '%C3%A4', '+', '&', '=', 'a[]', 'ä'))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('')
        const expected = new Map<string, string[]>()
        for (const [name, value] of new URLSearchParams(text))
          if (!['node', 'ip', 'bucket_path'].includes(name)) expected.set(name, [...(expected.get(name) ?? []), value])
        // A leading `?` is dropped by URLSearchParams alone.
        fc.pre(!text.startsWith('?'))
        expect([...parseParameters(text)]).toEqual([...expected])
      }),
    )
  })

  it('are lists, also in the manner of Ruby', () => {
    const parameters = parseParameters('ignore=.svn&ignore=CVS&links[]=a&links[]=b&node=x&one=1')
    expect(listParameterValues(parameters, 'ignore')).toEqual(['.svn', 'CVS'])
    expect(listParameterValues(parameters, 'links')).toEqual(['a', 'b'])
    expect([getParameter(parameters, 'one'), getParameter(parameters, 'node')]).toEqual(['1', undefined])
  })

  it('of a form win over those of a query', () => {
    const both = mergeParameters(parseParameters('a=1&b=2'), parseParameters('a=3'))
    expect([getParameter(both, 'a'), getParameter(both, 'b')]).toEqual(['3', '2'])
  })
})
