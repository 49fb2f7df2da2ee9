import { expect, it } from 'vitest'
import { listProtectionWarnings, protectAgentFolders } from '../../../../src/node/agent/process/protected-folders.ts'

it.each([
  [{}, true],
  [{ PLUMB_CONFDIR: 'D:/etc' }, true],
  [{ PLUMB_CONFDIR: 'D:/etc', PLUMB_VARDIR: 'D:/var' }, false],
  [{ PLUMB_CONFDIR: 'D:/etc', PLUMB_VARDIR: String.raw`c:\programdata\PLUMBLINE` }, true],
  [{ PLUMB_CONFDIR: 'D:/etc', PLUMB_VARDIR: 'C:/ProgramData/Plumbline2' }, false],
  [{ PLUMB_FOLDERS: 'puppet' }, false],
])('with the environment %j, the protection of the own folder is %s', async (env, isProtected) => {
  const paths: string[] = []
  const protect = async (path: string) => {
    paths.push(path)
    return { isKnown: false }
  }
  expect(await protectAgentFolders(env, protect)).toEqual({ isKnown: !isProtected })
  expect(paths).toEqual(isProtected ? ['C:/ProgramData/Plumbline'] : [])
})

it('warns about a folder that was renamed, and about a list that cannot be read', () => {
  expect(listProtectionWarnings({ isKnown: true })).toEqual([])
  expect(listProtectionWarnings({ isKnown: false, setAside: 'C:/ProgramData/Plumbline.untrusted.1' })).toEqual([
    'Could not read the access list of C:/ProgramData/Plumbline: other users may have access',
    'Another user may have created or changed C:/ProgramData/Plumbline: it was renamed to C:/ProgramData/Plumbline.untrusted.1, and is not used',
  ])
})
