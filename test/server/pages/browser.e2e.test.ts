import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { without } from '../../support/needs.ts'
import { findAccessibilityFaults } from './accessibility.ts'
import { hostileCommands, hostileName } from './hostile.js'
import { pictures } from './pictures.ts'
import { type Site, startSite } from './site.ts'

const missing = without('Chromium')

let site: Site
let browser: Browser
let url: string
beforeAll(async () => {
  if (missing !== '') return
  const size = pictures ? { nodes: 140, resources: 60, runs: 48 } : { nodes: 60, resources: 40, runs: 4 }
  site = await startSite(size, pictures ? [] : hostileCommands(Date.now()))
  url = `https://localhost:${new URL(site.serving.server.url).port}`
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

/** A browser that is signed in; what its pages complain of is in `troubles`. */
async function signedIn(
  scheme: 'light' | 'dark' = 'light',
  options: { javaScript?: boolean; bypassCSP?: boolean } = {},
) {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    colorScheme: scheme,
    viewport: { width: 1280, height: 860 },
    javaScriptEnabled: options.javaScript ?? true,
    // Colours on their way to others are no finding.
    reducedMotion: 'reduce',
    bypassCSP: options.bypassCSP ?? false,
    timezoneId: 'UTC',
  })
  const [name, value] = ['__Host-plumb-token', site.token]
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
  const page = await context.newPage()
  const troubles: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('dialog', (dialog) => {
    troubles.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { context, page, troubles }
}

async function anyRow(q: string): Promise<Record<string, string>> {
  const path = `/ui/query/rows.json?q=${encodeURIComponent(q)}`
  const { text } = await site.serving.call('GET', path, { as: 'admin.test' })
  return (JSON.parse(text) as Record<string, string>[])[0]!
}

/** Each page, once. */
async function paths(): Promise<readonly string[]> {
  const { hash, certname } = (await anyRow('reports[hash, certname] { status = "failed" limit 1 }')) as never
  const other = (await anyRow(`nodes[certname] { !(certname = "${certname}") limit 1 }`))['certname']
  return [
    '/ui/',
    '/ui/nodes',
    `/ui/nodes/${certname}`,
    `/ui/nodes/${certname}/facts`,
    `/ui/nodes/${certname}/resources`,
    `/ui/nodes/${certname}/history`,
    '/ui/reports',
    `/ui/reports/${hash}`,
    '/ui/deploys',
    '/ui/rollouts',
    `/ui/diff?a=${other}&b=${certname}`,
    '/ui/exported',
    '/ui/query?q=nodes%5Bcertname%2C%20report_timestamp%5D%7B%7D',
    '/ui/query?q=nonsense',
    '/ui/radiator',
    '/ui/nothing',
    '/ui/sign-in',
  ]
}

describe.skipIf(missing)(`in a browser${missing}`, () => {
  it('has no serious finding of a checker of accessibility, in light and dark', async () => {
    // Its code is put in past the page's policy, as a browser's own tools are.
    const { context, page } = await signedIn('light', { bypassCSP: true })
    for (const path of await paths()) {
      await page.goto(url + path)
      expect([path, await findAccessibilityFaults(page)]).toEqual([path, []])
    }
    await context.close()
  })

  it('obeys nothing that a node says, and keeps to its policy', async () => {
    const { context, page, troubles } = await signedIn()
    const { hash } = (await anyRow(
      `reports[hash] { certname = "${pictures ? '' : hostileName}" or status = "failed" limit 1 }`,
    )) as never
    const own = pictures
      ? []
      : ['', '/facts', '/resources', '/history'].map((part) => `/ui/nodes/${hostileName}${part}`)
    for (const path of [...(await paths()), ...own, `/ui/reports/${hash}`]) {
      await page.goto(url + path)
      await page.waitForLoadState('load')
    }
    // A query that is refused and a page that is not there are answered so.
    expect(troubles.filter((each) => !/status of 40[04]/.test(each))).toEqual([])
    expect(await page.evaluate('document.cookie')).toBe('')
    await context.close()
  })

  it('draws charts of its figures, in the colours of the scheme', async () => {
    const { context, page, troubles } = await signedIn('dark')
    await page.goto(`${url}/ui/`)
    await page.waitForSelector('.plot canvas')
    const box = (await page.locator('.plot canvas').boundingBox())!
    expect(box.width).toBeGreaterThan(600)
    await page.mouse.move(box.x + box.width - 30, box.y + 80)
    await expect.poll(() => page.textContent('.readout')).toMatch(/^\d\d:\d\d: \d+ failed, \d+ drifting/)
    expect(troubles).toEqual([])
    await context.close()
  })

  it('is all there without JavaScript', async () => {
    const { context, page } = await signedIn('light', { javaScript: false })
    await page.goto(`${url}/ui/`)
    await page.click('.chart summary')
    expect(await page.locator('.chart tbody tr').count()).toBe(24)
    await page.goto(`${url}/ui/nodes`)
    await page.fill('input[name=name]', 'db')
    await page.click('.filters button')
    expect(await page.textContent('tbody')).toContain('db')
    expect(await page.textContent('tbody')).not.toContain('web0')
    await page.goto(`${url}/ui/query`)
    await page.fill('#q', 'nodes[certname] { }')
    await page.click('.console button')
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(20)
    await context.close()
  })
})

describe.skipIf(missing)(`by keyboard alone${missing}`, () => {
  let context: BrowserContext
  let page: Page
  const press = (key: string) => page.keyboard.press(key)
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim().slice(0, 60)')
  /** Goes on with Tab until something is in focus; never more than so many times. */
  async function tabTo(selector: string, most = 60): Promise<void> {
    for (let at = 0; at < most; at++) {
      await press('Tab')
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
    }
    throw new Error(`Tab does not come to ${selector}, but to ${await focused()}`)
  }

  beforeAll(async () => {
    if (missing !== '') return
    context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 860 } })
    page = await context.newPage()
  })
  afterAll(async () => {
    await context?.close()
  })

  it('one signs in with a token, and is where one wanted to be', async () => {
    await page.goto(`${url}/ui/nodes?state=failed`)
    expect(new URL(page.url()).pathname).toBe('/ui/sign-in')
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('token')
    await page.keyboard.type('plumb_wrong')
    await press('Enter')
    await page.waitForSelector('[role=alert]')
    // `autofocus` takes the field a moment after the page has been read; what is typed before is lost.
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('token')
    await page.keyboard.type(site.token)
    await press('Enter')
    await page.waitForURL(/\/ui\/nodes\?state=failed$/)
    expect(await page.textContent('h1')).toBe('Failed nodes')
  })

  it('one skips to the content, goes to a node, opens a fact, and filters', async () => {
    await page.goto(`${url}/ui/nodes`)
    await press('Tab')
    expect(await focused()).toBe('Skip to content')
    expect((await page.locator('.skip').boundingBox())!.width).toBeGreaterThan(60)
    await press('Enter')
    await tabTo('tbody th a')
    const name = await focused()
    await press('Enter')
    await page.waitForURL(`**/ui/nodes/${name}`)
    await tabTo('.tabs li:nth-child(2) a')
    await press('Enter')
    await page.waitForURL('**/facts')
    await tabTo('input[name=filter]')
    await page.keyboard.type('fingerprints')
    await expect.poll(() => page.locator('.tree > li:visible').count()).toBe(1)
    expect(await page.isVisible('text=sha256')).toBe(true)
    await tabTo('.tree summary')
    await press('Enter')
    await expect.poll(() => page.isVisible('text=sha256')).toBe(false)
  })

  it('shows where the focus is', async () => {
    await page.goto(`${url}/ui/`)
    for (let at = 0; at < 20; at++) {
      await press('Tab')
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle')
      expect([await focused(), outline]).toEqual([await focused(), 'solid'])
    }
  })

  it('one writes a query with the help of its names, runs it, saves it, and shares it', async () => {
    const words = page.waitForResponse(/words\.json/)
    await page.goto(`${url}/ui/query`)
    await words
    await tabTo('#q')
    await page.keyboard.type('nod')
    await page.waitForSelector('#suggestions li[aria-selected=true]')
    expect(await page.getAttribute('#q', 'aria-activedescendant')).toBe('suggestion-0')
    await press('Enter')
    await page.keyboard.type('[cert')
    await press('Tab')
    await page.keyboard.type(', latest_report_st')
    await press('ArrowDown')
    await press('ArrowUp')
    await press('Enter')
    await page.keyboard.type('] { latest_report_status = "fail')
    expect(await page.isHidden('#suggestions')).toBe(true)
    await page.keyboard.type('ed" }')
    expect(await page.inputValue('#q')).toBe(
      'nodes[certname, latest_report_status] { latest_report_status = "failed" }',
    )
    await press('Control+Space')
    await press('Escape')
    expect(await page.isHidden('#suggestions')).toBe(true)
    await press('Control+Enter')
    await page.waitForSelector('#rows')
    expect(new URL(page.url()).searchParams.get('q')).toContain('latest_report_status')
    expect(await page.textContent('thead')).toBe('certnamelatest_report_status')
    await tabTo('.saving input')
    await page.keyboard.type('broken ones')
    await press('Enter')
    await page.goto(`${url}/ui/query`)
    expect(await page.textContent('.saved a')).toBe('broken ones')
    await tabTo('.saved a')
    await press('Enter')
    await page.waitForSelector('#rows')
    await tabTo('.saved button')
    await press('Enter')
    expect(await page.isHidden('.saved')).toBe(true)
  })

  it('one leaves, and sees nothing more', async () => {
    await page.goto(`${url}/ui/`)
    await tabTo('.viewer button')
    await press('Enter')
    await page.waitForURL('**/ui/sign-in')
    await page.goto(`${url}/ui/nodes`)
    expect(new URL(page.url()).pathname).toBe('/ui/sign-in')
  })
})

if (pictures) {
  describe('pictures', () => {
    it('are taken', async () => {
      mkdirSync(pictures!, { recursive: true })
      const { hash } = (await anyRow(
        'reports[hash] { status = "failed" order by producer_timestamp desc limit 1 }',
      )) as never
      const other = (await anyRow('catalogs[certname] { certname ~ "^web" order by producer_timestamp limit 1 }'))[
        'certname'
      ]
      const q =
        'inventory[certname, facts.os.name, facts.os.release.full, facts.networking.ip] {\n  facts.os.family = "RedHat" and certname ~ "^db"\n  order by certname\n}'
      const shown = [
        ['overview', 'light', '/ui/'],
        ['deploys', 'dark', '/ui/deploys'],
        ['report', 'dark', `/ui/reports/${hash}`],
        ['compare', 'light', `/ui/diff?a=${other}&b=web001.fra.example.com`],
        ['query', 'dark', `/ui/query?q=${encodeURIComponent(q)}`],
        ['radiator', 'dark', '/ui/radiator'],
      ] as const
      for (const [name, scheme, path] of shown) {
        const { context, page } = await signedIn(scheme)
        await page.goto(url + path)
        // Wall clock: drawings move for a moment. This takes pictures, and tests nothing.
        await page.waitForTimeout(400)
        if (name === 'query') {
          await page.fill('#q', 'nodes[certname, report_timestamp] {\n  latest_rep')
          await page.keyboard.type('o')
        }
        await page.screenshot({ path: join(pictures!, `${name}.png`) })
        await context.close()
      }
    })
  })
}
