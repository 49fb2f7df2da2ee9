// The folders that both servers serve in test/server/wire/mounts.e2e.test.ts, who may read them, and what is asked. The answers of
// Puppet Server 7.9.5 are in mounts.json; test/oracle/mounts.js records them.

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files by path; a link by its target. */
const files = {
  'srv/a.txt': 'one\n',
  'srv/empty': '',
  'srv/run.sh': '#!/bin/sh\n',
  'srv/.hidden': 'hidden\n',
  'srv/with space.txt': 'spaced\n',
  'srv/größe ✓.txt': 'UTF-8\n',
  'srv/1+1=100%.txt': 'signs\n',
  'srv/sub/b.txt': 'two\n',
  'srv/sub/old.bak': 'old\n',
  'srv/sub/deep/c.txt': 'three\n',
  'srv/sub/deep/er/d.txt': 'four\n',
  'srv/inside': { link: 'a.txt' },
  'srv/folder': { link: 'sub' },
  'ends/broken': { link: 'nowhere' },
  'ends/loop': { link: 'loop' },
  'ways/out.txt': { link: '../beside/s.txt' },
  'ways/out': { link: '../beside' },
  'beside/s.txt': 'beside\n',
  'nodes/web1/mine': 'by the short name\n',
  'nodes/web1.example.test/mine': 'by the long name\n',
  'nodes/example.test/mine': 'by the domain\n',
  'nodes/bare/mine': 'of a name without a domain\n',
  'nodes/%/mine': 'a percent sign\n',
  'nodes/%x/mine': 'an unknown letter\n',
}

/** Writes the folders and their fileserver.conf, whose path comes back. */
export function writeMounts(/** @type {string} */ folder) {
  for (const [path, file] of Object.entries(files)) {
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    if (typeof file === 'object') symlinkSync(file.link, place)
    else {
      writeFileSync(place, file)
      chmodSync(place, path.endsWith('.sh') ? 0o755 : path.endsWith('a.txt') ? 0o640 : 0o644)
    }
  }
  for (const path of ['srv', 'srv/sub', 'srv/sub/deep', 'srv/sub/deep/er', 'ways', 'ends', 'beside'])
    chmodSync(join(folder, path), 0o755)
  const paths = {
    ours: 'srv',
    ways: 'ways',
    ends: 'ends',
    private: 'srv',
    gone: 'nowhere',
    file: 'srv/a.txt',
    slash: 'srv/',
  }
  const nodes = { short: 'nodes/%h', long: 'nodes/%H', domain: 'nodes/%d', percent: 'nodes/%%', letter: 'nodes/%x' }
  const mounts = Object.entries({ ...paths, ...nodes })
  const conf = join(folder, 'fileserver.conf')
  writeFileSync(conf, mounts.map(([name, path]) => `[${name}]\n  path ${join(folder, path)}\n`).join(''))
  return conf
}

/** Rules of auth.conf for both. */
export const rules = [
  '{ match-request: { path: "^/puppet/v3/file_(content|metadatas?)/private(/|$)", type: regex }, allow: "*", deny: "web1.example.test", sort-order: 1, name: "refused" }',
  '{ match-request: { path: "^/puppet/v3/file_(content|metadatas?)/", type: regex }, allow: "*", sort-order: 2, name: "files" }',
]

/** Names in certificates of clients. */
export const clients = ['web1.example.test', 'bare']

const [web1, bare] = clients
const plain = { links: 'manage', checksum_type: 'sha256', source_permissions: 'ignore' }
const row = (as, accept) => (indirection, key, query) => ({
  path: `/puppet/v3/${indirection}/${key}?${new URLSearchParams({ ...query, environment: 'production' })}`,
  as,
  headers: { accept },
})
const data = row(web1, 'application/json')
const bytes = row(web1, 'application/octet-stream')
const one = (key, more = {}) => data('file_metadata', key, { ...plain, ...more })
const all = (key, more = {}) => data('file_metadatas', key, { ...plain, recurse: 'true', ...more })
const content = (key) => bytes('file_content', key, {})
const each = (names, asked) => Object.fromEntries(names.map(asked))

const keys = {
  'a file': 'ours/a.txt',
  'an empty file': 'ours/empty',
  'a file that can be run': 'ours/run.sh',
  'a hidden file': 'ours/.hidden',
  'a file below': 'ours/sub/deep/c.txt',
  'a space': 'ours/with%20space.txt',
  'a space as plus': 'ours/with+space.txt',
  'UTF-8': `ours/${encodeURIComponent('größe ✓.txt')}`,
  signs: `ours/${encodeURIComponent('1+1=100%.txt')}`,
  'signs as they are': 'ours/1+1=100%25.txt',
  'half an escape': 'ours/1+1=100%.txt',
  'bytes that are no UTF-8': 'ours/gr%f6%dfe.txt',
  'a NUL': 'ours/a.txt%00',
  'a folder': 'ours/sub',
  'a folder with a slash': 'ours/sub/',
  'the mount': 'ours',
  'the mount with a slash': 'ours/',
  'a mount with a slash in its path': 'slash/a.txt',
  'slashes twice': 'ours/sub//b.txt',
  'a dot': 'ours/./a.txt',
  'an encoded slash': 'ours/sub%2fb.txt',
  'a file as a folder': 'ours/a.txt/b',
  'a link': 'ours/inside',
  'a link to a folder': 'ours/folder',
  'a file below a link': 'ours/folder/b.txt',
  'a link to nowhere': 'ends/broken',
  'a link to itself': 'ends/loop',
  'a link out': 'ways/out.txt',
  'a folder out': 'ways/out',
  'a file below a folder out': 'ways/out/s.txt',
  'no file': 'ours/nothing',
  'no mount': 'nomount/a.txt',
  'no mount, no path': 'nomount',
  'a name that no mount has': 'no.mount/a.txt',
  'a mount without a folder': 'gone/a.txt',
  'a mount of a file': 'file',
  'no key': '',
  dots: 'ours/../beside/s.txt',
  'dots at the end': 'ours/..',
  'dots that stay': 'ours/sub/../a.txt',
  'encoded dots': 'ours/%2e%2e/beside/s.txt',
  'a half-encoded dot': 'ours/.%2E/beside/s.txt',
  'dots and an encoded slash': 'ours/..%2fbeside%2fs.txt',
  'all encoded': 'ours%2f%2e%2e%2fbeside%2fs.txt',
  'encoded twice': 'ours/%252e%252e/beside/s.txt',
  'dots in overlong UTF-8': 'ours/%c0%ae%c0%ae/beside/s.txt',
  'dots and a backslash': 'ours/..%5cbeside%5cs.txt',
  'dots with a parameter': 'ours/..;/beside/s.txt',
  'three dots': 'ours/.../a.txt',
  'a percent sign': 'percent/mine',
  'an unknown letter': 'letter/mine',
  'refused by auth.conf': 'private/a.txt',
}

/** What is asked, by name. */
export const questions = {
  ...each(Object.entries(keys), ([name, key]) => [`content: ${name}`, content(key)]),
  ...each(Object.entries(keys), ([name, key]) => [`metadata: ${name}`, one(key)]),
  ...each(['ours/inside', 'ours/folder', 'ends/broken', 'ends/loop', 'ways/out.txt', 'ways/out'], (key) => [
    `metadata: ${key}, followed`,
    one(key, { links: 'follow' }),
  ]),
  ...each(['md5', 'md5lite', 'sha1', 'sha256lite', 'sha512', 'mtime', 'ctime', 'none', 'bogus'], (checksum_type) => [
    `metadata: ${checksum_type}`,
    one('ours/a.txt', { checksum_type }),
  ]),
  ...each(['ours/a.txt', 'ours/run.sh', 'ours/sub', 'ours/inside'], (key) => [
    `metadata: ${key}, source_permissions`,
    one(key, { source_permissions: 'use' }),
  ]),
  'metadata: no parameters': data('file_metadata', 'ours/a.txt', {}),
  'metadata: no parameters of a link': data('file_metadata', 'ours/inside', {}),
  'metadata: links is none': one('ours/a.txt', { links: 'x' }),
  'metadata: of a folder, mtime': one('ours/sub', { checksum_type: 'mtime' }),
  'metadata: as bytes': bytes('file_metadata', 'ours/a.txt', plain),
  'content: as JSON': data('file_content', 'ours/a.txt', {}),
  'content: as anything': row(web1, '*/*')('file_content', 'ours/a.txt', {}),

  'search: all': all('ours'),
  'search: all, followed': all('ours', { links: 'follow' }),
  'search: not recursed': all('ours', { recurse: 'false' }),
  'search: recurse is remote': all('ours/sub', { recurse: 'remote' }),
  ...each(['0', '1', '2', 'infinite', '-1'], (recurselimit) => [
    `search: recurselimit ${recurselimit}`,
    all('ours/sub', { recurselimit }),
  ]),
  'search: ignored': all('ours/sub', { ignore: '*.bak' }),
  'search: ignored folder': all('ours/sub', { ignore: 'deep' }),
  'search: ignored by a class': all('ours/sub', { ignore: '[a-c].*' }),
  'search: recurse is no word': all('ours/sub', { recurse: 'x' }),
  'search: links is none': all('ours/sub', { links: 'x' }),
  'search: ignored of two': {
    ...all('ours/sub'),
    path: `${all('ours/sub').path}&ignore=*.bak&ignore=c.txt`,
  },
  'search: max_files': all('ours/sub', { max_files: '2' }),
  'search: source_permissions': all('ours', { source_permissions: 'use' }),
  'search: md5': all('ours/sub', { checksum_type: 'md5' }),
  'search: none': all('ours/sub', { checksum_type: 'none' }),
  'search: bogus': all('ours/sub', { checksum_type: 'bogus' }),
  'search: a file': all('ours/a.txt'),
  'search: an empty key': all(''),
  'search: a link to a folder': all('ours/folder'),
  'search: a link to a folder, followed': all('ours/folder', { links: 'follow' }),
  'search: ways out': all('ways'),
  'search: ways out, followed': all('ways', { links: 'follow' }),
  'search: ends': all('ends'),
  'search: ends, followed': all('ends', { links: 'follow' }),
  'search: a folder out': all('ways/out', { links: 'follow' }),
  'search: no file': all('ours/nothing'),
  'search: no mount': all('nomount'),
  'search: dots': all('ours/%2e%2e/beside'),
  'search: refused by auth.conf': all('private'),

  ...each(['short', 'long', 'domain'], (mount) => [`of web1: ${mount}`, content(`${mount}/mine`)]),
  ...each(['short', 'long', 'domain'], (mount) => [
    `of bare: ${mount}`,
    row(bare, 'application/octet-stream')('file_content', `${mount}/mine`, {}),
  ]),
  'of web1: metadata': one('short/mine'),
  'of web1: search': all('long'),
  'of bare: search': row(bare, 'application/json')('file_metadatas', 'long', { ...plain, recurse: 'true' }),
  'of bare: not refused': row(bare, 'application/octet-stream')('file_content', 'private/a.txt', {}),
  'of nobody: content': row(undefined, 'application/octet-stream')('file_content', 'ours/a.txt', {}),
  'of nobody: search': row(undefined, 'application/json')('file_metadatas', 'ours', plain),
}
