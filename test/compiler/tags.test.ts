import { describe, expect, it } from 'vitest'
import { Tags } from '../../src/compiler/catalog/tags.ts'

function tagsOf(...names: string[]): Tags {
  const tags = new Tags()
  for (const name of names) tags.add(name)
  return tags
}

describe('tags', () => {
  it('are each there once, in the order in which they came', () => {
    const tags = tagsOf('file', 'a', 'file')
    tags.addAll(tagsOf('class', 'a', 'web'))
    tags.add('web')
    tags.add('late')
    tags.addAll(tagsOf('late', 'node'))
    expect(tags.list()).toEqual(['file', 'a', 'class', 'web', 'late', 'node'])
    expect(['file', 'web', 'late', 'node', 'other'].map((tag) => tags.has(tag))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('are those that the container had when they were taken, and later ones when they are taken again', () => {
    const container = tagsOf('class')
    const tags = tagsOf('file')
    tags.addAll(container)
    container.add('late')
    expect(tags.list()).toEqual(['file', 'class'])
    tags.addAll(container)
    expect(tags.list()).toEqual(['file', 'class', 'late'])
  })

  it('of a container in a container come along', () => {
    const inner = tagsOf('define')
    inner.addAll(tagsOf('class', 'web'))
    const tags = tagsOf('file')
    tags.addAll(inner)
    expect(tags.list()).toEqual(['file', 'define', 'class', 'web'])
  })
})
