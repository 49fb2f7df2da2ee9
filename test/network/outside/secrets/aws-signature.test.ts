import { expect, it } from 'vitest'
import { signAwsRequest } from '../../../../src/network/outside/secrets/aws-signature.ts'

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' }
const time = new Date('2026-11-29T01:02:03Z')

/** Signatures of the gem aws-sigv4 1.5.1. */
it.each([
  {
    keys: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey },
    ...{ region: 'us-east-1', url: 'https://secretsmanager.us-east-1.amazonaws.com/', body: '{"SecretId":"prod/db"}' },
    ...{
      host: 'secretsmanager.us-east-1.amazonaws.com',
      names: 'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-target',
    },
    signature: '97a718c7677156b581ae31950b992fe1ccf16a36961dd150b22e7ffef0aeaeb8',
  },
  {
    keys: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey, sessionToken: 'token==' },
    region: 'eu-central-1',
    url: 'https://vpce-0a.secretsmanager.eu-central-1.vpce.amazonaws.com:8443/',
    body: '{"SecretId":"ü","VersionId":"v"}',
    host: 'vpce-0a.secretsmanager.eu-central-1.vpce.amazonaws.com:8443',
    names: 'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target',
    signature: 'cf9609a926504b3e15cc1d061e9a23c83ec4b2ff78fdcf487ca97782dfefc8cc',
  },
  {
    keys: { accessKeyId: 'AKID', secretAccessKey: 's', sessionToken: 't' },
    ...{ region: 'us-gov-west-1', url: 'http://localhost:4566/', body: '{}', host: 'localhost:4566' },
    names: 'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target',
    signature: '199b4758a6ef356dc2718482b981c5b4742476194561f0bd097efdad946f54ff',
  },
])('signs a request to $host as the gem aws-sigv4 does', ({ keys, region, url, body, host, names, signature }) => {
  const signed = signAwsRequest({ url: new URL(url), service: 'secretsmanager', region, headers, body, time }, keys)
  const credential = `${keys.accessKeyId}/20261129/${region}/secretsmanager/aws4_request`
  expect(signed).toMatchObject({ host, 'x-amz-date': '20261129T010203Z' })
  expect(signed['authorization']).toBe(
    `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  )
})
