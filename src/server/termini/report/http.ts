import { STATUS_CODES } from 'node:http'
import type { ReceivedReport } from '../../../model/report.ts'
import { ResponseError } from '../../../network/client/errors.ts'
import type { ReportServices } from './index.ts'
import { getReportYaml } from './store.ts'

/** Posts the report as YAML to `reporturl`. Puppet: reports/http.rb. An HTTP error is logged. */
export async function http(report: ReceivedReport, services: ReportServices): Promise<void> {
  const { settings, web, log } = services
  const { url, authorization } = splitCredentials(settings.reporturl)
  const client = await web()
  try {
    await client.send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-yaml', ...(authorization && { authorization }) },
      body: getReportYaml(report),
    })
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error
    const message = `Unable to submit report to ${url.href} [${error.status}] ${STATUS_CODES[error.status] ?? ''}`
    log('err', message, report)
  } finally {
    await client.close()
  }
}

/** Separates the credentials from a URL. They are sent as a header and never logged. */
function splitCredentials(text: string): { readonly url: URL; readonly authorization: string | undefined } {
  const url = new URL(text)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '') return { url, authorization: undefined }
  const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { url, authorization: `Basic ${Buffer.from(secret).toString('base64')}` }
}
