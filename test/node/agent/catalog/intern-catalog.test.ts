import { expect, it } from 'vitest'
import { internCatalog } from '../../../../src/node/agent/catalog/intern-catalog.ts'

const noKey = async () => undefined

const notify = (title: string, more: object = {}) => ({ type: 'Notify', title, ...more })
const catalogWith = (...resources: readonly object[]) => ({ name: 'node', resources })

it('accepts an alias that is its own title, and one name of two types', async () => {
  const exec = { type: 'Exec', title: 'a', parameters: { alias: ['x', 'x'] } }
  const catalog = await internCatalog(catalogWith(notify('a', { parameters: { alias: 'a' } }), exec), noKey)
  expect(catalog.resources).toHaveLength(2)
})

it.each<readonly [message: string, wire: object]>([
  [
    'Duplicate declaration: Class[A::B] is already declared; cannot redeclare (file: /m.pp, line: 2)',
    catalogWith({ type: 'Class', title: 'A::B' }, { type: 'Class', title: '::a::b', file: '/m.pp', line: 2 }),
  ],
  [
    'Cannot alias Notify[b] to "z"; resource ["Notify", "z"] already declared',
    catalogWith(notify('a', { parameters: { alias: [['z']] } }), notify('b', { parameters: { alias: 'z' } })),
  ],
  [
    'Could not intern from data: Could not find relationship target "Notify[b]" for Notify[a]',
    { ...catalogWith(notify('a')), edges: [{ source: 'Notify[a]', target: 'Notify[b]' }] },
  ],
])('%s', async (message, wire) => {
  await expect(internCatalog(wire, noKey)).rejects.toThrow(`Could not intern from rich_data_json: ${message}`)
})
