import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A gem on the server: its file, and what the compact index says about it. */
export interface ServedGem {
  readonly name: string
  readonly version: string
  /** Dependencies as the index has them: `words:~> 1.0&>= 1.0.1`. */
  readonly dependencies?: string
  /** Further properties of the line: `ruby:>= 2.5`. */
  readonly properties?: readonly string[]
  readonly platform?: string
  readonly file: Uint8Array
}

/** A running gem server. */
export interface GemServerForTests {
  readonly url: string
  /** Paths of the requests so far. */
  readonly requests: string[]
  close(): Promise<void>
}

const nameOf = ({ name, version, platform }: ServedGem) => `${name}-${version}${platform ? `-${platform}` : ''}`

/** The lines of `/info/NAME`. https://guides.rubygems.org/rubygems-org-compact-index-api/ */
export function infoOf(name: string, gems: readonly ServedGem[]): string {
  const lines = gems
    .filter((each) => each.name === name)
    .map((each) => {
      const checksum = createHash('sha256').update(each.file).digest('hex')
      const properties = [`checksum:${checksum}`, ...(each.properties ?? [])]
      return `${nameOf(each).slice(name.length + 1)} ${each.dependencies ?? ''}|${properties.join(',')}`
    })
  return ['---', ...lines, ''].join('\n')
}

/** The answer to `/versions`: each gem with its versions and the MD5 of its info. */
function versionsOf(gems: readonly ServedGem[]): string {
  const lines = [...new Set(gems.map(({ name }) => name))].map((name) => {
    const versions = gems.filter((each) => each.name === name).map((each) => nameOf(each).slice(name.length + 1))
    return `${name} ${versions.join(',')} ${createHash('md5').update(infoOf(name, gems)).digest('hex')}`
  })
  return ['created_at: 2026-01-01T00:00:00Z', '---', ...lines, ''].join('\n')
}

/** Starts a server with the compact index of these gems. `others` are bodies of further paths, or other ones. */
export async function serveGems(
  gems: readonly ServedGem[],
  others: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<GemServerForTests> {
  const requests: string[] = []
  const bodyOf = (path: string): string | Uint8Array | undefined => {
    if (Object.hasOwn(others, path)) return others[path]
    if (path === '/') return ''
    if (path === '/versions') return versionsOf(gems)
    const name = /^\/info\/(.+)$/.exec(path)?.[1]
    if (name !== undefined) return gems.some((each) => each.name === name) ? infoOf(name, gems) : undefined
    return gems.find((each) => path === `/gems/${nameOf(each)}.gem`)?.file
  }
  const server: Server = createServer(({ url = '/', method }, response) => {
    const path = decodeURIComponent(url.split('?')[0]!)
    requests.push(path)
    const body = bodyOf(path)
    const bytes = Buffer.from(body ?? 'not found')
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': /^\/gems/.test(path) ? 'application/octet-stream' : 'text/plain; charset=utf-8',
      'content-length': bytes.length,
      etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    })
    response.end(method === 'HEAD' ? undefined : bytes)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
