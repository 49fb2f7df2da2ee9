import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileCommands, hostileMarks, hostileName } from './hostile.js'
import { type Site, startSite } from './site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ nodes: 40, resources: 30, runs: 3 }, hostileCommands(Date.now()))
})
afterAll(async () => {
  await site?.stop()
})

const get = (path: string, headers: Record<string, string> = {}) =>
  site.serving.call('GET', path, { as: 'admin.test', headers })
const anyReport = async () => {
  const { text } = await get(
    `/ui/query/rows.json?q=${encodeURIComponent(`reports[hash] { certname = "${hostileName}" }`)}`,
  )
  return (JSON.parse(text) as { hash: string }[])[0]!.hash
}

describe('each page', () => {
  it.each([
    ['/ui', 'Overview'],
    ['/ui/', 'Most frequent failures'],
    ['/ui/nodes', 'web001.'],
    ['/ui/nodes?state=failed&sort=-report_timestamp&name=web', 'Failed nodes'],
    ['/ui/nodes?state=nothing&sort=nothing&offset=-1', 'web001.'],
    [`/ui/nodes/${hostileName}`, 'Catalog'],
    [`/ui/nodes/${hostileName}/facts`, 'facts, received'],
    [`/ui/nodes/${hostileName}/facts?filter=script`, 'html'],
    [`/ui/nodes/${hostileName}/resources?title=b`, 'resources'],
    [`/ui/nodes/${hostileName}/history`, 'In use for'],
    ['/ui/reports', 'Reports'],
    ['/ui/reports?state=failed', 'Failed'],
    ['/ui/deploys', 'Harden sshd: no passwords, no root'],
    ['/ui/rollouts', 'No environment has a rollout'],
    ['/ui/diff', 'Compare catalogs'],
    ['/ui/diff?a=web001.fra.example.com', 'Compare catalogs'],
    ['/ui/exported', 'Sshkey'],
    ['/ui/query', 'Query in PQL or AST'],
    ['/ui/query?q=nodes%5Bcertname%5D%7B%7D', 'rows in'],
    ['/ui/radiator', 'Unresponsive'],
    ['/ui/sign-in', 'Token'],
  ])('is there: %s', async (path, words) => {
    const { status, text, headers } = await get(path)
    expect([status, headers['content-type']], text).toEqual([200, 'text/html;charset=utf-8'])
    expect(text).toContain(words)
    expect(text).toContain('<main id="main"')
    expect(text).toMatch(/<html lang="en">[\s\S]*<title>[^<]+ · Plumbline<\/title>/)
    expect(text.match(/<h1/g)).toHaveLength(1)
  })

  it('is kept by no cache, shown in no frame, and loads nothing but files of this server', async () => {
    const pages = [
      '/ui',
      '/ui/nothing',
      '/ui/query?q=x',
      '/ui/sign-in',
      '/ui/query/words.json',
      '/ui/query/rows.csv?q=x',
    ]
    for (const path of pages) {
      const { headers } = await get(path)
      expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('same-origin')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('has no script, style or address that is not a file of this server', async () => {
    for (const path of ['/ui', '/ui/nodes', '/ui/deploys', '/ui/query?q=nodes%7B%7D', '/ui/radiator']) {
      const { text } = await get(path)
      expect(text.match(/<(?:script|link|img)[^>]*(?:src|href)="(?!\/ui\/)[^"]*"/g)).toBe(null)
      expect(text.match(/<script(?![^>]* src=)/g)).toBe(null)
      expect(text.match(/<style|\sstyle="|\son\w+="/g)).toBe(null)
    }
  })

  it('says what is not there', async () => {
    for (const path of [
      '/ui/nothing',
      '/ui/nodes/nobody.test',
      '/ui/nodes/nobody.test/facts',
      '/ui/rollouts/nothing',
      '/ui/reports/0',
      '/ui/nodes/a/b/c',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    const refused = await get('/ui/query?q=nodes%7Bnothing=1%7D')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    const post = await site.serving.call('POST', '/ui/nodes', { as: 'admin.test' })
    expect(post.status).toBeGreaterThanOrEqual(400)
  })
})

describe('the past of a node', () => {
  it('is a list of its catalogs, each beside the one before', async () => {
    const newest = site.commits.at(-1)!
    const [older] = JSON.parse(
      (await get(`/ui/query/rows.json?q=${encodeURIComponent(`catalogs[certname] { code_id = "${newest}" limit 1 }`)}`))
        .text,
    ) as { certname: string }[]
    const { text } = await get(`/ui/nodes/${older!.certname}/history`)
    const link = /href="(\/ui\/diff\?[^"]+)">Compare with the previous catalog/.exec(text)![1]!.replaceAll('&amp;', '&')
    const compared = await get(link)
    expect(compared.status).toBe(200)
    expect(compared.text).toContain('1 added')
    expect(compared.text).toContain('File[/etc/ssh/sshd_config.d/10-hardening.conf]')
    expect(compared.text).toContain('<ins>Managed by Plumbline.')
    expect(compared.text).toContain('<del>1:9.2p1-2+deb12u6</del>')
    const never = await get(`/ui/diff?a=${older!.certname}@2001-01-01T00:00:00Z&b=${older!.certname}`)
    expect(never.text).toContain('The store has no catalog of')
  })

  it('draws how a push went on', async () => {
    const { text } = await get('/ui/deploys')
    expect(text).toContain('Convergence of production')
    expect(text).toMatch(/\d+ of \d+ nodes received it within \d+ min/)
  })
})

describe('what nodes say of themselves', () => {
  it('is shown and not obeyed, wherever it stands', async () => {
    const report = await anyReport()
    const q = encodeURIComponent(`inventory[certname, facts] { certname = "${hostileName}" }`)
    const pages = [
      '/ui',
      '/ui/nodes',
      `/ui/nodes/${hostileName}`,
      `/ui/nodes/${hostileName}/facts`,
      `/ui/nodes/${hostileName}/resources`,
      `/ui/nodes/${hostileName}/history`,
      '/ui/reports',
      `/ui/reports/${report}`,
      '/ui/exported',
      '/ui/deploys',
      `/ui/diff?a=${hostileName}&b=web001.fra.example.com`,
      `/ui/query?q=${q}`,
      `/ui/query?q=${encodeURIComponent('"><script>alert(1)</script>')}`,
      `/ui/nodes?name=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
      `/ui/nodes/${encodeURIComponent('"><img src=x onerror=alert(1)>')}`,
      `/ui/sign-in?to=${encodeURIComponent('javascript:alert(1)')}`,
    ]
    let shown = 0
    for (const path of pages) {
      const { text } = await get(path)
      for (const mark of hostileMarks) expect([path, text.includes(mark)]).toEqual([path, false])
      expect([path, /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u001b]/.test(text)]).toEqual([path, false])
      shown += text.split('&lt;img src=x').length - 1
    }
    expect(shown).toBeGreaterThan(12)
  })

  it('is no formula in a download', async () => {
    const q = encodeURIComponent(`facts[name, value] { certname = "${hostileName}" and name = "formula" }`)
    const { text, headers } = await get(`/ui/query/rows.csv?q=${q}`)
    expect(headers['content-type']).toBe('text/csv;charset=utf-8')
    expect(headers['content-disposition']).toBe('attachment; filename="rows.csv"')
    expect(text).toBe(`name,value\r\nformula,"'=HYPERLINK(""http://x"",""y"")"\r\n`)
  })
})

describe('who may look', () => {
  const asStranger = (path: string, headers: Record<string, string> = {}) => site.serving.call('GET', path, { headers })
  const cookie = () => `__Host-plumb-token=${site.token}`

  it('is nobody without a certificate or a token', async () => {
    for (const path of ['/ui', '/ui/nodes?name=a', '/ui//nodes', '/ui/query/words.json']) {
      const { status, headers, text } = await asStranger(path)
      expect([path, status, text]).toEqual([path, 303, ''])
      expect(headers.location).toMatch(/^\/ui\/sign-in\?to=%2Fui/)
    }
    expect((await site.serving.call('POST', '/ui/nodes')).status).toBe(403)
  })

  it('is no node', async () => {
    for (const path of ['/ui', '/ui/nodes', '/ui/nodes/node.test', '/ui/query/rows.json?q=nodes%7B%7D']) {
      const { status, text } = await site.serving.call('GET', path, { as: 'node.test' })
      expect([path, status]).toEqual([path, 403])
      expect(text).toContain('Access denied')
      expect(text).not.toContain('example.com')
    }
  })

  it('is who has a token, in a cookie that no script reads', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: site.serving.server.url }
    const signIn = (token: string, to: string, headers = form) => {
      const body = new URLSearchParams({ token, to }).toString()
      return site.serving.call('POST', '/ui/sign-in', {
        headers: { ...headers, host: new URL(site.serving.server.url).host },
        body,
      })
    }
    const { status, headers } = await signIn(site.token, '/ui/nodes?name=a')
    expect([status, headers.location]).toEqual([303, '/ui/nodes?name=a'])
    expect(headers['set-cookie']).toEqual([`${cookie()}; Path=/; Secure; HttpOnly; SameSite=Strict`])
    for (const to of [
      'https://evil.test/',
      '//evil.test/ui/',
      '/\\evil.test',
      'javascript:alert(1)',
      '/pdb',
      '/ui/../pdb',
      'ui:',
    ])
      expect([to, (await signIn(site.token, to)).headers.location]).toEqual([to, '/ui/'])
    expect((await signIn('plumb_nothing', '/ui/')).status).toBe(403)
    expect((await signIn('a b;c', '/ui/')).status).toBe(403)
    expect((await signIn(site.token, '/ui/', { ...form, origin: 'https://evil.test' })).status).toBe(403)
    expect((await signIn('x'.repeat(5000), '/ui/')).status).toBe(413)
    const page = await asStranger('/ui', { cookie: cookie() })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Sign out')
    expect(page.text).not.toContain(site.token)
    const out = await site.serving.call('POST', '/ui/sign-out', { headers: { cookie: cookie() } })
    expect(out.headers['set-cookie']?.[0]).toMatch(/^__Host-plumb-token=; Max-Age=0/)
  })

  it('is let in by the cookie below /ui alone', async () => {
    expect((await asStranger('/pdb/query/v4/nodes', { cookie: cookie() })).status).toBe(403)
    expect((await asStranger('/uix', { cookie: cookie() })).status).toBe(403)
    const two = await asStranger('/ui', { cookie: `${cookie()}; ${cookie()}` })
    expect(two.status).toBe(303)
    const gone = await asStranger('/ui', { cookie: `${cookie().slice(0, -4)}AAAA` })
    expect(gone.headers['set-cookie']?.[0]).toMatch(/^__Host-plumb-token=; Max-Age=0/)
    expect(site.serving.log.join('')).not.toContain(site.token.slice(-20))
  })

  it('comes again from here where a link of another site led here', async () => {
    const { status, text } = await asStranger('/ui/nodes', {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
    })
    expect(status).toBe(403)
    expect(text).toContain('<meta http-equiv="refresh" content="0">')
  })
})

describe('files of the pages', () => {
  it('are kept by browsers for ever, by addresses that change with them', async () => {
    const { text } = await get('/ui')
    const style = /href="(\/ui\/assets\/[0-9a-f]{16}\/style\.css)"/.exec(text)![1]!
    const { status, headers } = await site.serving.call('GET', style)
    expect([status, headers['content-type']]).toEqual([200, 'text/css;charset=utf-8'])
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const again = await site.serving.call('GET', style, { headers: { 'if-none-match': headers.etag! } })
    expect([again.status, again.text]).toEqual([304, ''])
    const old = await site.serving.call('GET', style.replace(/[0-9a-f]{16}/, '0'.repeat(16)))
    expect([old.status, old.headers['cache-control']]).toEqual([200, 'no-cache'])
    for (const path of ['/ui/assets/0/nothing.js', '/ui/assets/0/..%2f..%2fframe.js', '/ui/assets/0/constructor'])
      expect((await site.serving.call('GET', path)).status).toBeGreaterThanOrEqual(400)
  })
})
