import { PuppetError } from '#built/base/issue.js'
import { parseCertificate } from '#built/ca/x509/certificate.js'
import { parseAuthConf } from '#built/server/auth/auth-conf.js'
import { authorize } from '#built/server/auth/authorize.js'
import { readCertificateName } from '#built/server/auth/certificate-name.js'
import { getCertificateClaims } from '#built/server/auth/client-certificate.js'
import { identifyByHeaders } from '#built/server/auth/header-client.js'
import { createUnauthenticatedClient } from '#built/server/http/client.js'
import { getQueryString, parseRequestPath } from '#built/server/http/request-path.js'
import { chanceOf } from '../support/chance.js'
import { openAuthorizationOracle } from './authorization.js'
import { randomConfText, randomRequest } from './random-auth-conf.js'
import { randomCertificates } from './random-certificates.js'

/**
 * @typedef {{ conf: string, error?: string, request?: object, reason?: string, theirs?: unknown, names?: string }} Difference
 * @typedef {{
 *   files: number, read: number, requests: number, allowed: number, laxer: Difference[], accepted: Difference[],
 *   stricter: Record<string, number>, rejected: Record<string, number>, examples: Record<string, unknown>,
 * }} Comparison
 *
 * Reads files of rules by chance as we do and as Puppet Server does, and compares the verdicts on requests by chance.
 * `laxer` and `accepted` have to be empty. `stricter` counts our reasons where only Puppet Server allows, `rejected` where
 * only Puppet Server accepts the file.
 *
 * @param {{ seed: number, files: number, requests: number }} options
 * @returns {Promise<Comparison>}
 */
export async function compareAuthorization({ seed, files, requests }) {
  const chance = chanceOf(seed)
  const pems = await randomCertificates(chance, 400)
  const certificates = pems.map(parseCertificate)
  const oracle = openAuthorizationOracle()
  const result = /** @type {Comparison} */ ({
    files: 0,
    read: 0,
    requests: 0,
    allowed: 0,
    laxer: [],
    accepted: [],
    stricter: {},
    rejected: {},
    examples: {},
  })
  const count = (
    /** @type {Record<string, number>} */ counts,
    /** @type {string} */ reason,
    /** @type {unknown} */ example,
  ) => {
    const key = reason.replaceAll(/'[^']*'|`[^`]*`|\$?\d+|: \S+$/g, '…')
    counts[key] = (counts[key] ?? 0) + 1
    result.examples[key] ??= example
  }
  try {
    await oracle.setCertificates(pems)
    while (result.files < files || result.requests < requests) {
      const conf = randomConfText(chance)
      const asked = Array.from({ length: 14 }, () => randomRequest(chance, pems.length))
      const theirs = await oracle.ask(conf, asked)
      const ours = read(conf)
      result.files++
      if ('error' in theirs) {
        if (!('reason' in ours)) result.accepted.push({ conf, error: theirs.error })
        continue
      }
      if ('reason' in ours) {
        count(result.rejected, ours.reason, conf)
        continue
      }
      result.read++
      for (const [index, request] of asked.entries()) {
        const { allowed, reason } = verdict(ours, request, certificates)
        const isAllowed = theirs.verdicts[index] === true
        result.requests++
        if (isAllowed) result.allowed++
        const names = request.certificate === undefined ? '' : pems[request.certificate]
        if (allowed && !isAllowed) result.laxer.push({ conf, request, reason, theirs: theirs.verdicts[index], names })
        if (!allowed && isAllowed) count(result.stricter, reason, { conf, request, names })
      }
    }
  } finally {
    oracle.close()
  }
  return result
}

function read(conf) {
  try {
    return parseAuthConf({ file: 'auth.conf', text: conf })
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return { reason: error.message }
  }
}

/**
 * @param {import('#built/server/auth/auth-conf.js').AuthConf} conf
 * @param {import('./authorization.js').AskedRequest} request
 * @param {readonly import('#built/ca/x509/certificate.js').Certificate[]} certificates
 */
function verdict({ rules, allowHeaderCertInfo }, { method, url, certificate, headers = {} }, certificates) {
  try {
    const path = parseRequestPath(url)
    const client = allowHeaderCertInfo
      ? identifyByHeaders(
          Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
          '127.0.0.1',
          new Map(),
        )
      : clientOf(certificate === undefined ? undefined : certificates[certificate])
    return authorize(rules, { path, method, query: getQueryString(url), client })
  } catch (error) {
    return { allowed: false, reason: `the request is refused: ${error.message}` }
  }
}

function clientOf(certificate) {
  if (!certificate) return createUnauthenticatedClient('127.0.0.1')
  const { certname, refused } = readCertificateName(certificate)
  if (certname === undefined) return createUnauthenticatedClient('127.0.0.1', refused)
  return { ...createUnauthenticatedClient('127.0.0.1'), certname, ...getCertificateClaims(certificate, new Map()) }
}
