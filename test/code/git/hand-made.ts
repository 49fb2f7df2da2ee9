import { execFileSync } from 'node:child_process'
import { type ControlRepository, gitIdentity } from '../../support/control-repository.ts'

/** An entry of a tree that is made by hand, as no `git add` would. */
export type Entry = readonly [mode: '100644' | '100755' | '120000' | '160000' | '40000', name: string, oid: string]

/** Objects of a test's bare repository that are made by hand. */
export interface HandMade {
  blob(bytes: string | Buffer): string
  tree(entries: readonly Entry[]): string
  commit(tree: string, message?: string): string
  /** A tree of trees, that many wide and deep, all of them the same few objects. */
  bomb(wide: number, deep: number, innermost: string): string
}

/** In the bare repository, or where the objects of a working copy are, to push them from there. */
export function handMade({ folder }: Pick<ControlRepository, 'folder'>, where: 'code.git' | 'work/.git'): HandMade {
  const gitDir = `${folder}/${where}`
  const env = { ...process.env, ...gitIdentity }
  const git = (input: string | Buffer, ...args: string[]) =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...args], { input, env, stdio: ['pipe', 'pipe', 'pipe'] })
      .toString()
      .trim()
  const blob = (bytes: string | Buffer) => git(bytes, 'hash-object', '-w', '--stdin')
  const tree = (entries: readonly Entry[]) => {
    const bytes = entries.map(([mode, name, oid]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
    )
    return git(Buffer.concat(bytes), 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally')
  }
  return {
    blob,
    tree,
    commit: (root, message = 'made by hand') => git(message, 'commit-tree', root),
    bomb(wide, deep, innermost) {
      const names = Array.from({ length: wide }, (_, each) => `d${String(each).padStart(3, '0')}`)
      let oid = innermost
      for (let level = 0; level < deep; level++) oid = tree(names.map((name) => ['40000', name, oid] as const))
      return oid
    },
  }
}
