// Nearly 256 KB, which is what a request may have, of what looks like PEM from anybody, as a request for a certificate.

const size = 255 * 1024
const begin = '-----BEGIN CERTIFICATE REQUEST-----\n'

export const garbageRequests = {
  every: 10,
  prepare: () => [
    begin.repeat(size / begin.length),
    `${begin}${'\n'.repeat(size)}`,
    `${begin}${'A'.repeat(size)}`,
    '-----BEGIN '.repeat(size / 11),
    `-----BEGIN ${'A '.repeat(size / 2)}`,
  ],
  act: ({ together, ask, prepared }) =>
    together(prepared.length, async (number) => {
      const path = `/puppet-ca/v1/certificate_request/garbage${number}.soak.test`
      return (await ask(undefined, { method: 'PUT', path, type: 'text/plain', body: prepared[number] })).status
    }),
}
