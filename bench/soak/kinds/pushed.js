// What an attacker pushes, as it arrives past the hook: loose objects and refs, made here, as no git would make some of them.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

const modes = { tree: '40000', blob: '100644', link: '120000' }
const nobody = 'Attacker <attacker@example.test> 1767225600 +0000'

/** Writes of objects and refs to a bare repository; objects are answered as `{ kind, oid }`. */
export function pusherTo(repository) {
  const object = (type, content, kind = type) => {
    const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
    const oid = createHash('sha1').update(bytes).digest('hex')
    const path = join(repository, 'objects', oid.slice(0, 2), oid.slice(2))
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) writeFileSync(path, deflateSync(bytes), { mode: 0o444 })
    return { kind, oid }
  }
  const pusher = {
    blob: (text) => object('blob', Buffer.from(text)),
    link: (target) => object('blob', Buffer.from(target), 'link'),
    /** A folder: text of files, objects, or folders of the same, by name. */
    tree: (entries) => object('tree', treeBytes(pusher, entries)),
    commit: (entries) => {
      const { oid } = pusher.tree(entries)
      return object('commit', Buffer.from(`tree ${oid}\nauthor ${nobody}\ncommitter ${nobody}\n\nHarmless\n`)).oid
    },
    /** Makes a branch, whatever it names. */
    branch: (name, value) => writeFileSync(join(repository, 'refs/heads', name), `${value}\n`),
    remove: (name) => rmSync(join(repository, 'refs/heads', name), { force: true }),
  }
  return pusher
}

/** Makes branches, leaves them there for so long, and takes them away. */
export async function pushedFor(ms, { repository, pause }, branches) {
  const pusher = pusherTo(repository)
  for (const [name, value] of Object.entries(branches)) pusher.branch(name, value)
  try {
    await pause(ms)
  } finally {
    for (const name of Object.keys(branches)) pusher.remove(name)
  }
}

function treeBytes(pusher, entries) {
  const all = Object.entries(entries).map(([name, entry]) => {
    const { kind, oid } = typeof entry === 'string' ? pusher.blob(entry) : entry.oid ? entry : pusher.tree(entry)
    // Git sorts folders as if their names ended in a slash.
    const key = Buffer.from(kind === 'tree' ? `${name}/` : name)
    return { key, bytes: Buffer.concat([Buffer.from(`${modes[kind]} ${name}\0`), Buffer.from(oid, 'hex')]) }
  })
  return Buffer.concat(all.sort((one, other) => Buffer.compare(one.key, other.key)).map(({ bytes }) => bytes))
}
