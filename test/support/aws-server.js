// A server with the API of AWS Secrets Manager and the metadata service of EC2, in a thread of its own. Its first message
// is its port; the message `report` asks for the requests it has received.
import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

const secrets = {
  'app/password': { SecretString: 'plain text', VersionId: 'v1' },
  'prod/web1/password': { SecretString: 'of web1', VersionId: 'v2' },
  'prod/common/password': { SecretString: 'of all', VersionId: 'v3' },
  json: { SecretString: '{"user": "u", "port": 5432, "tags": [1.5, null]}', VersionId: 'v4' },
  number: { SecretString: '17', VersionId: 'v5' },
  binary: { SecretBinary: Buffer.from('grün').toString('base64'), VersionId: 'v6' },
}
const seen = []
let role = 'web-role'
parentPort.on('message', (message) => {
  if (message === 'report') parentPort.postMessage(seen)
  else role = message.role
})

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    seen.push({ method: request.method, url: request.url, headers: request.headers, body })
    const send = (status, value) =>
      response.writeHead(status).end(typeof value === 'string' ? value : JSON.stringify(value))
    if (request.url === '/latest/api/token')
      return request.method === 'PUT' ? send(200, 'metadata-token') : send(405, '')
    if (request.url.startsWith('/latest/meta-data/iam/security-credentials/')) {
      if (request.headers['x-aws-ec2-metadata-token'] !== 'metadata-token') return send(401, '')
      if (role === '') return send(404, 'Not Found')
      if (!request.url.endsWith(role)) return send(200, role)
      const Expiration = new Date(Date.now() + 3_600_000).toISOString()
      return send(200, { AccessKeyId: 'ASIAROLE', SecretAccessKey: 's', Token: 'role-token', Expiration })
    }
    const { SecretId: name, VersionId: version } = JSON.parse(body)
    const [, id] = /Credential=([^/]+)\//.exec(request.headers.authorization ?? '') ?? []
    if (id === 'AKIAREVOKED')
      return send(400, {
        __type: 'UnrecognizedClientException',
        message: 'The security token included in the request is invalid.',
      })
    if (name === 'unsigned')
      return send(403, {
        __type: 'InvalidSignatureException',
        message: `x-amz-security-token:${request.headers['x-amz-security-token']}`,
      })
    if (name.startsWith('denied'))
      return send(400, { __type: 'AccessDeniedException', Message: 'User is not authorized' })
    const found = Object.hasOwn(secrets, name) ? secrets[name] : undefined
    if (!found || (version !== undefined && version !== found.VersionId))
      return send(400, {
        __type: 'com.amazonaws#ResourceNotFoundException',
        message: "Secrets Manager can't find the specified secret.",
      })
    send(200, { Name: name, ...found })
  })
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
