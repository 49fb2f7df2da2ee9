// A node that is not what it should be: whatever it may say of itself is an attack on those who look at it.

/** Its name. */
export const hostileName = 'evil.example.com'

const image = '<img src=x onerror=alert(1)>'
const script = '</script><script>alert(1)</script>'
const quoted = `"><svg onload=alert(1)>' onmouseover='alert(1)`
const turned = `\u202egnp.exe\u2066 \u001b[31mred\u0007 ${image}`

/** Texts of which none may stand in a page as they are. */
export const hostileMarks = [
  '<img src=x',
  '<script>alert',
  '<svg onload',
  `' onmouseover='`,
  '" onmouseover',
  '="javascript:',
]

/**
 * @param {number} now
 * @returns {readonly import('./fleet.js').FleetCommand[]}
 */
export function hostileCommands(now) {
  const time = new Date(now - 60_000).toISOString()
  const of = { certname: hostileName, environment: 'production', producer: image, producer_timestamp: time }
  const values = {
    [image]: { [script]: [quoted, { [image]: turned }] },
    os: { name: image, release: { full: script }, family: quoted },
    networking: { ip: 'javascript:alert(1)' },
    html: script,
    formula: '=HYPERLINK("http://x","y")',
    kernelrelease: turned,
  }
  const resource = (type, title, more = {}) => ({
    type,
    title,
    exported: false,
    file: `/etc/${image}`,
    line: 1,
    aliases: [],
    tags: ['tag'],
    parameters: { [image]: quoted, content: `${image}\n${script}\n` },
    ...more,
  })
  const catalog = {
    ...of,
    version: image,
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: image,
    job_id: null,
    edges: [],
    resources: [
      resource('Class', 'Main'),
      resource('File', `/b/${image}`),
      resource('Notify', quoted),
      resource('Notify', turned),
      resource('Sshkey', image, { exported: true }),
    ],
  }
  const event = {
    status: 'failure',
    timestamp: time,
    name: image,
    property: image,
    new_value: script,
    old_value: { [image]: quoted },
    message: `${image}${turned}`,
    corrective_change: false,
  }
  const report = {
    ...of,
    puppet_version: image,
    report_format: 12,
    configuration_version: script,
    start_time: time,
    end_time: time,
    type: 'agent',
    corrective_change: false,
    noop: false,
    noop_pending: false,
    status: 'failed',
    transaction_uuid: null,
    catalog_uuid: null,
    code_id: image,
    job_id: null,
    cached_catalog_status: image,
    resources: [
      {
        skipped: false,
        timestamp: time,
        resource_type: 'Exec',
        resource_title: image,
        file: image,
        line: 1,
        containment_path: [image],
        corrective_change: false,
        events: [event],
      },
    ],
    metrics: [
      { category: 'time', name: image, value: 1 },
      { category: 'resources', name: 'total', value: 1 },
    ],
    logs: [{ level: image, source: script, message: `${turned}${quoted}`, tags: [image], time, file: image, line: 1 }],
  }
  return [
    { name: 'replace facts', version: 5, payload: { ...of, values } },
    { name: 'replace catalog', version: 9, payload: catalog },
    { name: 'store report', version: 8, payload: report },
  ]
}
