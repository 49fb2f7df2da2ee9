/** Answers of a server that is broken or hostile. */
export function answerOddly(odd, request, response) {
  if (odd === 'html')
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Sign in</body></html>')
  if (odd === 'huge') return response.writeHead(200).end(`{"data":{"value":"${'x'.repeat(8 << 20)}"}}`)
  if (odd === 'deep') return response.writeHead(200).end(`${'['.repeat(100_000)}`)
  if (odd === 'many') return response.writeHead(200).end(`{"data":{"a":[${'[],'.repeat(300_000)}0]}}`)
  if (odd === 'silent') return
  if (odd.startsWith('{')) return response.writeHead(200).end(odd)
  if (/^\d+$/.test(odd)) return response.writeHead(Number(odd)).end('')
  if (odd === 'error')
    return response.writeHead(500).end('{"errors":["1 error occurred:\\n\\t* internal error\\n\\n"]}')
  if (odd === 'endless') {
    response.writeHead(200)
    const timer = setInterval(() => response.write(' '.repeat(1 << 16)), 5)
    return response.on('close', () => clearInterval(timer))
  }
  if (odd.startsWith('http')) return response.writeHead(307, { location: `${odd}${request.url}` }).end()
}
