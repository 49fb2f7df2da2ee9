import type { FastifyInstance } from 'fastify'
import type { ReportReading } from '../bodies/body-parsers.ts'
import { jsonMedia } from '../http/negotiation.ts'
import { createPuppetRefusal } from '../http/refusal.ts'
import type { Services } from '../services/services.ts'
import { getRequestEnvironment } from '../termini/request-environment.ts'
import { requireEnvironment } from './environment-parameter.ts'
import { parseJsonBody } from './json-body.ts'
import { requireCertname } from './key.ts'

/** `PUT /puppet/v3/report/CERTNAME`; returns the names of the report processors. protocol.md 9. */
export function addReportRoutes(server: FastifyInstance, services: Services): void {
  const { reportProcessors: processors, recorder } = services
  const createReportReading = (): ReportReading => {
    if (!recorder || !processors.includes('puppetdb')) return { processors, sending: undefined }
    return { processors, sending: { ...recorder.sending(), includeUnchanged: recorder.includesUnchanged } }
  }
  server.put('/puppet/v3/report/*', async (request, reply) => {
    const environment = requireEnvironment(request.call.query)
    await getRequestEnvironment(services.environments, { key: '', environment })
    const key = requireCertname(request)
    const { value, text } = await parseJsonBody(
      request,
      services.bodyReader,
      'report',
      JSON.stringify(createReportReading()),
    )
    const report = { ...value, text }
    if (report.host !== key)
      throw createPuppetRefusal(400, `The request for "${key}" contains a report of "${report.host}"`)
    await services.report.save(report, { key, node: request.call.client.certname, environment })
    return reply.type(jsonMedia.contentType).send(JSON.stringify(services.reportProcessors))
  })
}
