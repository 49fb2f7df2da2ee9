// Reports of some 30 MB.
import { captured } from '../place.js'

const name = captured[6]
const events = 60_000

export const largeReports = {
  every: 40,
  prepare() {
    const time = '2026-01-01T00:00:00Z'
    const statuses = Array.from({ length: events }, (_, number) => {
      const resource = `File[/srv/${number}]`
      const event = `{"property":"content","message":"${'changed '.repeat(20)}","status":"success","time":"${time}"}`
      return `"${resource}":{"resource":"${resource}","title":"/srv/${number}","resource_type":"File","tags":["file","class"],"time":"${time}","containment_path":["Stage[main]","${resource}"],"failed":false,"changed":true,"skipped":false,"events":[${event}]}`
    })
    return Buffer.from(
      `{"host":"${name}","time":"${time}","report_format":12,"status":"changed","logs":[],"metrics":{},"resource_statuses":{${statuses.join(',')}}}`,
    )
  },
  act: ({ together, ask, prepared }) =>
    together(2, async () => {
      const path = `/puppet/v3/report/${name}?environment=production`
      return (await ask(name, { method: 'PUT', path, type: 'application/json', body: prepared })).status
    }),
}
