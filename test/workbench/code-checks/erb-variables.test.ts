import { describe, expect, it } from 'vitest'
import { findErbVariables, listErbVariables } from '../../../src/workbench/code-checks/code/erb-variables.ts'
import { fc } from '../../support/properties.ts'

describe('the variables of an ERB template', () => {
  it.each<[text: string, found: readonly string[]]>([
    ['<%= @a %> @b <%# @c %> <%% @d %>', ['a 4']],
    ['<% @a = 1 %><% @b ||= 2 %><% @c == 3 %>', ['a 3 set', 'b 15 set', 'c 29']],
    [`<%= '@a' + "@b #{@c} @d" # @e\n@f %>`, ['c 17', 'f 30']],
    ['<%= @@a + x@b + @c', ['c 16']],
  ])('are found with their places: %s', (text, found) => {
    const shown = findErbVariables(text).map(({ name, start, isSet }) => `${name} ${start}${isSet ? ' set' : ''}`)
    expect(shown).toEqual(found)
  })

  it('are at their places in any text', () => {
    const parts = fc.constantFrom('<%', '%>', '<%=', '#', '"', "'", '#{', '}', '@a', '@b_c', ' = ', '\n', 'x')
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        const text = list.join('')
        const found = findErbVariables(text)
        for (const { name, start } of found) expect(text.slice(start, start + name.length + 1)).toBe(`@${name}`)
        const names = found.map(({ name }) => name)
        expect(listErbVariables(text).every((name) => names.includes(name))).toBe(true)
      }),
    )
  })
})
