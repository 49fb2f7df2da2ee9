import { expect } from 'vitest'
import { buildSubjectAltName } from '../../../../src/ca/x509/extensions.ts'
import { requestFor } from '../../../ca/fixture.ts'
import { type Row, type Section, sendsJson } from './row.ts'

const administrator = 'admin.test'
const certificate = expect.stringMatching(/^-----BEGIN CERTIFICATE-----/)
const list = expect.stringMatching(/^-----BEGIN X509 CRL-----/)
const later = { 'if-modified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }

const ask = (row: string, request: string, as: string, status: number, answer: unknown, headers = {}): Row => {
  const [method, path] = request.split(' ')
  return { row: `${row}: ${request}`, request: `${method} /puppet-ca/v1/${path}`, as, headers, status, answer }
}
const admin = (row: string, request: string, status: number, answer: unknown): Row =>
  ask(row, request, administrator, status, answer)
const send = (row: string, request: string, body: object | string, status: number, answer: unknown): Row => ({
  ...ask(row, request, administrator, status, answer, sendsJson),
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
/** A request of a node that has no certificate yet. */
const submit = (
  row: string,
  name: string,
  body: string | (() => Promise<string>),
  status: number,
  answer: unknown,
) => ({
  ...ask(row, `PUT certificate_request/${name}`, 'nobody', status, answer, { 'content-type': 'text/plain' }),
  body,
})
const outcome = (signed: string[], none: string[], failed: string[]) => ({
  ...{ signed, 'no-csr': none, 'signing-errors': failed },
})
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dUTC$/)
const sum = expect.stringMatching(/^[0-9A-F]{2}(:[0-9A-F]{2})+$/)
const status = (name: string, state: string) => ({
  ...{ name, state, dns_alt_names: expect.any(Array), subject_alt_names: expect.any(Array) },
  ...{ authorization_extensions: {}, fingerprint: sum },
  fingerprints: { SHA1: sum, SHA256: sum, SHA512: sum, default: sum },
  ...(state === 'signed' && { serial_number: expect.any(Number), not_before: date, not_after: date }),
})
const extraNames =
  "CSR 'alt.test' contains extra subject alternative names (DNS:other.test), which are disallowed. To allow subject alternative names, set allow-subject-alt-names to true in your ca.conf file. Then restart the puppetserver and try signing this certificate again."

/** Section 12: the certificate authority. */
export const authority: readonly Section[] = [
  {
    section: '12',
    server: 'byDefault',
    rows: [
      ask('the bundle, for anybody', 'GET certificate/ca', 'nobody', 200, certificate),
      ask('the bundle is as it was', 'GET certificate/ca', 'nobody', 304, '', later),
      ask('no certificate', 'GET certificate/none.test', 'nobody', 404, 'Could not find certificate none.test'),
      ask('the list, for anybody', 'GET certificate_revocation_list/ca', 'nobody', 200, list),
      ask('the list is as it was', 'GET certificate_revocation_list/ca', 'nobody', 304, '', later),
      ask(
        'no request',
        'GET certificate_request/none.test',
        'nobody',
        404,
        'Could not find certificate_request none.test',
      ),
      submit('a request', 'new.test', () => requestFor('new.test'), 200, ''),
      ask(
        'the request',
        'GET certificate_request/new.test',
        'nobody',
        200,
        expect.stringMatching(/^-----BEGIN CERTIFICATE REQUEST-----/),
      ),
      submit(
        'once more',
        'new.test',
        () => requestFor('new.test'),
        400,
        'new.test already has a requested certificate; ignoring certificate request',
      ),
      submit('no PEM', 'bad.test', 'garbage', 400, expect.any(String)),
      submit(
        'of another name',
        'other.test',
        () => requestFor('mine.test'),
        400,
        'Instance name "mine.test" does not match requested key "other.test"',
      ),
      submit(
        'of a name that is not lower case',
        'Upper.test',
        () => requestFor('Upper.test'),
        400,
        'Certificate names must be lower case.',
      ),
      submit(
        'of a name that is no host',
        'a_$.test',
        () => requestFor('a_$.test'),
        400,
        'Subject hostname format is invalid',
      ),
      submit(
        'of a wildcard',
        '*.x.test',
        () => requestFor('*.x.test'),
        400,
        'Subject contains a wildcard, which is not allowed: *.x.test',
      ),
      submit(
        'with more names',
        'alt.test',
        () => requestFor('alt.test', { extensions: [buildSubjectAltName(['other.test'])] }),
        200,
        '',
      ),
      send('cannot be signed then', 'PUT certificate_status/alt.test', { desired_state: 'signed' }, 409, extraNames),
      {
        ...admin('the status of a request', 'GET certificate_status/new.test', 200, status('new.test', 'requested')),
        type: 'application/json; charset=utf-8',
      },
      admin('no status', 'GET certificate_status/none.test', 404, 'Resource not found.'),
      send(
        'no such name',
        'PUT certificate_status/none.test',
        { desired_state: 'signed' },
        404,
        'Invalid certificate subject.',
      ),
      send(
        'a wrong state',
        'PUT certificate_status/new.test',
        { desired_state: 'zz' },
        400,
        "State zz invalid; Must specify desired state of 'signed' or 'revoked' for host new.test.",
      ),
      send('no state', 'PUT certificate_status/new.test', {}, 400, 'Missing required parameter "desired_state"'),
      send('no JSON', 'PUT certificate_status/new.test', 'x', 400, 'Request body is not JSON.'),
      send('nothing', 'PUT certificate_status/new.test', '', 400, 'Empty request body.'),
      send(
        'a wrong life',
        'PUT certificate_status/new.test',
        { desired_state: 'signed', cert_ttl: 'Y' },
        400,
        'cert_ttl specified for host new.test must be an integer, not "Y"',
      ),
      send(
        'nothing to revoke',
        'PUT certificate_status/new.test',
        { desired_state: 'revoked' },
        409,
        'Cannot revoke certificate for host new.test without a signed certificate',
      ),
      send('signed', 'PUT certificate_status/new.test', { desired_state: 'signed', cert_ttl: 3600 }, 204, ''),
      ask('the certificate, for anybody', 'GET certificate/new.test', 'nobody', 200, certificate),
      admin('the status of a certificate', 'GET certificate_status/new.test', 200, status('new.test', 'signed')),
      send(
        'no request is left',
        'PUT certificate_status/new.test',
        { desired_state: 'signed' },
        409,
        'Cannot sign certificate for host new.test without a certificate request',
      ),
      submit(
        'a request of a node that has a certificate',
        'new.test',
        () => requestFor('new.test'),
        400,
        'new.test already has a signed certificate; ignoring certificate request',
      ),
      send('revoked', 'PUT certificate_status/new.test', { desired_state: 'revoked' }, 204, ''),
      submit(
        'a request of a node whose certificate is revoked',
        'new.test',
        () => requestFor('new.test'),
        400,
        'new.test already has a revoked certificate; ignoring certificate request',
      ),
      {
        ...admin('statuses by state', 'GET certificate_statuses/any?state=revoked', 200, ['new.test']),
        part: (found: { name: string }[]) => found.map(({ name }) => name),
      },
      {
        ...admin(
          'an unknown state is ignored',
          'GET certificate_statuses/any?state=zz',
          200,
          expect.arrayContaining(['new.test', 'alt.test']),
        ),
        part: (found: { name: string }[]) => found.map(({ name }) => name),
      },
      admin('certificate and request are deleted', 'DELETE certificate_status/alt.test', 204, ''),
      admin('nothing to delete', 'DELETE certificate_status/alt.test', 404, 'Resource not found.'),
      ask(
        'denied by default',
        'DELETE certificate_request/alt.test',
        administrator,
        403,
        expect.stringMatching(/^Forbidden request: /),
      ),
      ask('when all ends, for who has a certificate', 'GET expirations', 'a.test', 200, {
        'ca-certs': { 'Puppet CA: localhost': date },
        crls: { 'Puppet CA: localhost': date },
      }),
      submit('for more to be cleaned', 'clean.test', () => requestFor('clean.test'), 200, ''),
      send(
        'and signed',
        'POST sign',
        { certnames: ['clean.test', 'none.test'] },
        200,
        outcome(['clean.test'], ['none.test'], []),
      ),
      send('sign: no names', 'POST sign', {}, 422, expect.any(String)),
      send('sign all that wait', 'POST sign/all', '', 200, outcome([], [], [])),
      send('clean', 'PUT clean', { certnames: ['clean.test'] }, 200, 'Successfully cleaned all certs.'),
      send(
        'clean what is not there',
        'PUT clean',
        { certnames: ['none'] },
        200,
        'The following certs do not exist and cannot be revoked: ["none"]',
      ),
      send('clean: no JSON', 'PUT clean', 'x', 400, 'Request body is not JSON.'),
      send(
        'clean: no names',
        'PUT clean',
        {},
        400,
        "Missing required key: 'certnames'. Please supply the list of certs you want to clean.",
      ),
      send('clean: not at once', 'PUT clean', { certnames: [], async: true }, 400, expect.any(String)),
      {
        ...ask('no lists', 'PUT certificate_revocation_list', administrator, 400, 'No valid CRLs submitted.', {
          'content-type': 'text/plain',
        }),
        body: 'garbage',
      },
      ask('a new certificate for the same key', 'POST certificate_renewal', 'a.test', 200, certificate),
      ask('without a certificate', 'POST certificate_renewal', 'nobody', 403, expect.stringMatching(/^Forbidden/)),
      ask('not for nodes', 'GET certificate_status/new.test', 'a.test', 403, expect.stringMatching(/^Forbidden/)),
      ask('not for nodes', 'GET certificate_statuses/any', 'a.test', 403, expect.stringMatching(/^Forbidden/)),
      ask('not for nodes', 'PUT clean', 'a.test', 403, expect.stringMatching(/^Forbidden/)),
      ask('not for nodes', 'POST sign', 'a.test', 403, expect.stringMatching(/^Forbidden/)),
    ],
  },
  {
    section: '12',
    server: 'open',
    rows: [
      submit('a request', 'gone.test', () => requestFor('gone.test'), 200, ''),
      admin('the request is deleted', 'DELETE certificate_request/gone.test', 204, ''),
      ask('nothing to delete', 'DELETE certificate_request/gone.test', administrator, 404, expect.any(String)),
      ask(
        'nobody to renew for',
        'POST certificate_renewal',
        'nobody',
        400,
        'No valid certificate found in renewal request',
      ),
    ],
  },
]
