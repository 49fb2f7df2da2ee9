import { describe, expect, it } from 'vitest'
import { CompileProfile } from '../../../src/compiler/profile/compile-profile.ts'
import { listCosts } from '../../../src/compiler/profile/cost-table.ts'
import { buildCostTree, type CostNode } from '../../../src/compiler/profile/cost-tree.ts'
import { type ScriptedWork, scriptedProfile } from './scripted-profile.ts'

/** `NAME CALLS OWN/TOTAL`, with the work inside indented. */
function treeText({ work, calls, own, total, children }: CostNode, indent = ''): string[] {
  const inner = children.flatMap((child) => treeText(child, `${indent}  `))
  return [`${indent}${work?.name ?? 'all'} ${calls} ${own}/${total}`, ...inner]
}

function costTexts(root: CostNode): string[] {
  return [...listCosts(root)].flatMap(([kind, costs]) =>
    costs.map(({ name, calls, own_ms, total_ms }) => `${kind} ${name} ${calls} ${own_ms}/${total_ms}`),
  )
}

const cases: Readonly<
  Record<string, { works: readonly ScriptedWork[]; tree: readonly string[]; costs: readonly string[] }>
> = {
  nothing: { works: [], tree: ['all 1 0/0'], costs: [] },
  'work inside work': {
    works: [['class', 'a', 1, ['function', 'f', 2, ['template', 't', 4]], 8]],
    tree: ['all 1 0/15', '  a 1 9/15', '    f 1 2/6', '      t 1 4/4'],
    costs: ['class a 1 9/15', 'function f 1 2/6', 'template t 1 4/4'],
  },
  'the same work in the same place': {
    works: [['class', 'a', ['function', 'f', 1], ['function', 'f', 2]]],
    tree: ['all 1 0/3', '  a 1 0/3', '    f 2 3/3'],
    costs: ['class a 1 0/3', 'function f 2 3/3'],
  },
  'the same work in two places': {
    works: [
      ['class', 'a', ['function', 'f', 1]],
      ['class', 'b', ['function', 'f', 2]],
    ],
    tree: ['all 1 0/3', '  a 1 0/1', '    f 1 1/1', '  b 1 0/2', '    f 1 2/2'],
    costs: ['class a 1 0/1', 'class b 1 0/2', 'function f 2 3/3'],
  },
  'recursion, whose time counts once': {
    works: [['function', 'f', 1, ['function', 'g', 2, ['function', 'f', 4]]]],
    tree: ['all 1 0/7', '  f 1 1/7', '    g 1 2/6', '      f 1 4/4'],
    costs: ['function f 2 5/7', 'function g 1 2/6'],
  },
  'one name of two kinds': {
    works: [['class', 'epp', 1, ['function', 'epp', 2]]],
    tree: ['all 1 0/3', '  epp 1 1/3', '    epp 1 2/2'],
    costs: ['class epp 1 1/3', 'function epp 1 2/2'],
  },
}

describe('the costs of a profile', () => {
  it.each(Object.entries(cases))('adds up %s', (_, { works, tree, costs }) => {
    const root = buildCostTree(scriptedProfile(...works))
    expect(treeText(root)).toEqual(tree)
    expect(costTexts(root)).toEqual(costs)
  })

  it('ends work that throws, and passes the error on', () => {
    const profile = new CompileProfile(() => 0)
    const fail = () =>
      profile.measure('class', 'a', () => {
        throw new Error('no')
      })
    expect(fail).toThrow('no')
    expect(profile.measure('class', 'b', () => 'result')).toBe('result')
    expect(treeText(buildCostTree(profile))).toEqual(['all 1 0/0', '  a 1 0/0', '  b 1 0/0'])
  })
})
