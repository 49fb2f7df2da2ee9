import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localSystem } from '../../../src/machine/system/local-system.ts'
import { addToken, getTokenPaths } from '../../../src/server/auth/token-file.ts'
import { type ControlRepository, controlRepository } from '../../support/control-repository.ts'
import { eventually } from '../../support/eventually.js'
import { without } from '../../support/needs.ts'
import { NodeCertificates, nodeNames, rolloutWhen, SimulatedFleet } from '../rollouts/simulated-fleet.ts'
import { type Serving, serve } from '../serving.ts'
import { findAccessibilityFaults } from './accessibility.ts'
import { pictures } from './pictures.ts'

const plan = `
waves:
  - { name: canary, nodes: { certnames: ['n000*', 'n001*', 'n002*', 'n003*'] } }
  - { name: rest, approve: true }
halt: { failed: 50%, http: [ { url: 'http://elsewhere.test/' } ] }
`
const missing = without('Chromium')
const hostile = pictures ? 'motd' : '<script>alert(1)</script>'
const escaped = hostile.replaceAll('<', '&lt;').replaceAll('>', '&gt;')

let repository: ControlRepository
let serving: Serving
let fleet: SimulatedFleet
let second: string
const certificates = new NodeCertificates(() => serving)

beforeAll(async () => {
  repository = controlRepository({ 'manifests/site.pp': `notify { 'first': }`, 'rollout.yaml': plan })
  serving = await serve({ code_repo: repository.bare, store: 'sqlite' })
  fleet = new SimulatedFleet(nodeNames(8), certificates.nodeCall)
  await fleet.run()
})
afterAll(() => serving?.stop())

const get = async (path: string) => serving.call('GET', path, { as: 'admin.test' })

interface ResourceEvent {
  readonly property: string | null
  readonly status: 'success' | 'failure'
  readonly message: string
  readonly isCorrective?: boolean
}

/** Sends the report of a run in which each resource had one event. */
async function report(certname: string, resources: Readonly<Record<string, ResourceEvent>>): Promise<void> {
  const time = new Date().toISOString()
  const hasFailed = Object.values(resources).some(({ status }) => status === 'failure')
  const statuses = Object.entries(resources).map(([resource, { property, status, message, isCorrective = false }]) => {
    const [, type = '', title = ''] = /^(.+?)\[(.*)\]$/.exec(resource)!
    const values = { previous_value: 'absent', desired_value: 'present', historical_value: null }
    const event = { ...values, property, status, message, time, name: 'event', audited: false, redacted: false }
    const flags = { failed: status === 'failure', changed: status === 'success', out_of_sync: true, skipped: false }
    return [
      resource,
      {
        ...{
          title,
          resource,
          resource_type: type,
          file: null,
          line: null,
          containment_path: ['Stage[main]', resource],
        },
        ...{ evaluation_time: 0.1, tags: [], time, change_count: 1, out_of_sync_count: 1, failed_to_restart: false },
        ...{ ...flags, corrective_change: isCorrective, events: [{ ...event, corrective_change: isCorrective }] },
      },
    ]
  })
  const body = {
    ...{ host: certname, time, configuration_version: 1, report_format: 12, puppet_version: '8.0.0', code_id: second },
    ...{ status: hasFailed ? 'failed' : 'changed', environment: 'production', noop: false, noop_pending: false },
    ...{ corrective_change: false, metrics: {}, logs: [], transaction_uuid: crypto.randomUUID() },
    resource_statuses: Object.fromEntries(statuses),
  }
  const path = `/puppet/v3/report/${certname}?environment=production`
  const request = { method: 'PUT', path, body: JSON.stringify(body), type: 'application/json' }
  const sent = await certificates.nodeCall(certname, request)
  expect(sent.status, sent.text).toBe(200)
}

/** Opens a page of a browser that is signed in. */
async function withPage(work: (page: Page, url: string) => Promise<void>): Promise<void> {
  const tokens = getTokenPaths(serving.settings).tokens
  const request = { name: `console${Date.now()}`, description: '', scopes: ['query' as const], expires: undefined }
  const value = await addToken(tokens, request, localSystem.files, Date.now())
  const url = `https://localhost:${new URL(serving.server.url).port}`
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, reducedMotion: 'reduce', bypassCSP: true })
    await context.addCookies([{ name: '__Host-plumb-token', value, url, secure: true, httpOnly: true }])
    await work(await context.newPage(), url)
  } finally {
    await browser.close()
  }
}

describe('the pages of rollouts', () => {
  it('say that there are none', async () => {
    expect((await get('/ui/rollouts')).text).toContain('No environment has a rollout.')
    const absent = await get('/ui/rollouts/production')
    expect(absent.status).toBe(404)
    expect(absent.text).toContain('This environment has no rollout.')
  })

  it('show waves, failures, predicted and other changes, checks and steps', async () => {
    second = repository.push({
      'manifests/site.pp': `if $trusted['certname'] =~ /^n00[0-5]/ { notify { 'second': } } else { notify { 'first': } }`,
    })
    await serving.server.reload()
    await rolloutWhen(serving, ({ started }) => started === 1)
    const [first, other, failing] = fleet.names as [string, string, string]
    const success = { property: 'message', status: 'success', message: 'done' } as const
    await report(first, { 'Notify[second]': success })
    await report(other, {
      'Notify[second]': success,
      [`File[/etc/${hostile}]`]: success,
      'File[/etc/corrected]': { ...success, isCorrective: true },
      'Service[refreshed]': { ...success, property: null },
    })
    await report(failing, { 'Package[nginx]': { property: 'ensure', status: 'failure', message: `no ${hostile}` } })
    const { text } = await eventually(
      () => get('/ui/rollouts/production'),
      ({ text: page }) => [`no ${escaped}`, '3</td>', 'rollout_hosts'].every((part) => page.includes(part)),
    )
    expect(text).toContain('Rollout 1 of production')
    expect(text).toContain('2 nodes have the same catalog with this commit')
    expect(text).toContain('<code>Package[nginx]</code>')
    expect(text).toContain('needs approval')
    expect(text).toContain(`<a href="/ui/nodes/${failing}">${failing}</a> (<a href="/ui/reports/`)
    expect(text).toContain(`No report (1)</dt><dd><a href="/ui/nodes/${fleet.names[3]}">`)
    expect(text).toContain(
      'The impact predicted changes on 6 nodes. So far, 2 nodes changed 2 predicted resources; 1 node changed other resources.',
    )
    expect(text).toContain(`<code>File[/etc/${escaped}]</code>`)
    expect(text).not.toContain('File[/etc/corrected]')
    expect(text).not.toContain('Service[refreshed]')
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('The setting rollout_hosts does not allow elsewhere.test')
    expect(text).toContain('<meta http-equiv="refresh" content="10">')
    const list = await get('/ui/rollouts')
    expect(list.text).toContain('<a href="/ui/rollouts/production">production</a>')
    expect(list.text).toContain('1 of 2')
    expect(list.text).toContain('aria-current="page">Rollouts</a>')
  })

  it.skipIf(missing)(`are accessible, and update themselves with their details open${missing}`, async () => {
    await withPage(async (page, url) => {
      for (const path of ['/ui/rollouts', '/ui/rollouts/production']) {
        await page.goto(url + path)
        expect([path, await findAccessibilityFaults(page)]).toEqual([path, []])
      }
      await page.click('summary')
      await page.evaluate('document.querySelector("details").dataset.old = "true"')
      await page.waitForResponse(`${url}/ui/rollouts/production`)
      await page.waitForSelector('details[open]:not([data-old])')
    })
  })

  it('show the reason of a halt, without reloading', async () => {
    await report(fleet.names[3]!, { 'Package[nginx]': { property: 'ensure', status: 'failure', message: 'no' } })
    await rolloutWhen(serving, ({ phase }) => phase === 'halted')
    const { text } = await get('/ui/rollouts/production')
    expect(text).toMatch(/role="alert">The rollout is halted: 2 of 4 nodes \(.*\) of wave &#39;canary&#39; failed/)
    expect(text).toContain('rolled back')
    expect(text).not.toContain('http-equiv="refresh"')
    if (!pictures) return
    await withPage(async (page, url) => {
      await page.setViewportSize({ width: 1200, height: 900 })
      await page.goto(`${url}/ui/rollouts/production`)
      await page.screenshot({ path: join(pictures!, 'rollout.png') })
    })
  })
})
