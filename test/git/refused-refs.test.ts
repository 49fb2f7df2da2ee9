import { expect, it } from 'vitest'
import { refusalOfRef } from '../../src/git/names.ts'

it.each([
  ['refs/heads/production', undefined],
  ['refs/tags/v1', undefined],
  ['refs/heads/headless', undefined],
  ['refs/heads/feature/HEAD', undefined],
  ['refs/heads/deadbeef', undefined],
  ['refs/heads/HEAD', 'a branch or tag cannot be named HEAD'],
  ['refs/heads/head', 'a branch or tag cannot be named head'],
  ['refs/tags/FETCH_HEAD', 'a branch or tag cannot be named FETCH_HEAD'],
  ['refs/heads/@', 'a branch or tag cannot be named @'],
  [`refs/heads/${'a1'.repeat(20)}`, 'the name of a branch or tag cannot be the id of a commit'],
  [`refs/tags/${'A1'.repeat(32)}`, 'the name of a branch or tag cannot be the id of a commit'],
  ['refs/heads/refs/heads/x', 'the name of a branch or tag cannot begin with refs/'],
  ['refs/heads/-x', 'the name of a branch or tag cannot begin with -'],
  [`refs/replace/${'a1'.repeat(20)}`, 'only branches and tags can be pushed'],
  ['refs/notes/commits', 'only branches and tags can be pushed'],
  ['refs/stash', 'only branches and tags can be pushed'],
  ['refs/bisect/bad', 'only branches and tags can be pushed'],
  ['refs/headsx/a', 'only branches and tags can be pushed'],
  ['refs/plumb', 'kept by the server for itself'],
  ['refs/plumb/served/x', 'kept by the server for itself'],
])('%s', (ref, reason) => expect(refusalOfRef(ref)).toBe(reason))
