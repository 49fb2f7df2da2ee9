// What is no TLS on its port: noise, plain HTTP, records that announce more than there is.
import { randomBytes } from 'node:crypto'
import { heldOpen } from './held-open.js'

const shapes = [
  () => randomBytes(16_384),
  () => Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  () => Buffer.concat([Buffer.from('1603014000010000', 'hex'), randomBytes(4000)]),
  () => Buffer.from('160301000401000000', 'hex'),
  () => Buffer.concat([Buffer.from('1603030200', 'hex'), randomBytes(512)]),
  () => Buffer.from('15030300020100', 'hex'),
]

export const tlsGarbage = {
  every: 5,
  /** @param {import('../attack.js').Attack} attack */
  act: (attack) =>
    attack.together(24, (number) => {
      const socket = attack.plain()
      socket.resume()
      socket.end(shapes[number % shapes.length]())
      return heldOpen(socket, attack, 3000)
    }),
}
