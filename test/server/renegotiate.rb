# Speaks TLS 1.2 with one certificate, then shows another and negotiates anew, which no client of Node's or Ruby's own can.
# Words: port, PEM file of key and certificate, another one, path. Prints a line for each of the two answers: its first
# line, or why there was none; and after the second one its body.
require 'fiddle'
require 'io/nonblock'
require 'socket'

LIBSSL = Fiddle.dlopen('libssl.so.3')
POINTER = Fiddle::TYPE_VOIDP
INT = Fiddle::TYPE_INT
LONG = Fiddle::TYPE_LONG

def ssl(name, types, result, *values)
  @functions ||= {}
  function = @functions[name] ||= Fiddle::Function.new(LIBSSL[name], types, result)
  function.call(*values)
end

PEM = 1
SSL_CTRL_SET_MAX_PROTO_VERSION = 124
TLS1_2_VERSION = 0x0303

port, first, second, path = ARGV
context = ssl('SSL_CTX_new', [POINTER], POINTER, ssl('TLS_client_method', [], POINTER))
ssl('SSL_CTX_ctrl', [POINTER, INT, LONG, POINTER], LONG, context, SSL_CTRL_SET_MAX_PROTO_VERSION, TLS1_2_VERSION, 0)
connection = ssl('SSL_new', [POINTER], POINTER, context)

show = lambda do |file|
  ssl('SSL_use_certificate_file', [POINTER, POINTER, INT], INT, connection, file, PEM)
  ssl('SSL_use_PrivateKey_file', [POINTER, POINTER, INT], INT, connection, file, PEM)
end
ask = lambda do
  request = "GET #{path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n"
  ssl('SSL_write', [POINTER, POINTER, INT], INT, connection, request, request.bytesize)
  text = +''
  until text =~ /\r\n\r\n/ && text.bytesize >= $~.end(0) + text[/content-length: (\d+)/i, 1].to_i
    buffer = "\0" * 65_536
    length = ssl('SSL_read', [POINTER, POINTER, INT], INT, connection, buffer, buffer.bytesize)
    return puts 'the connection has ended' if length <= 0
    text << buffer[0, length]
  end
  puts text.lines.first.strip
  text
end

socket = TCPSocket.new('127.0.0.1', port.to_i)
socket.nonblock = false
ssl('SSL_set_fd', [POINTER, INT], INT, connection, socket.fileno)
show.(first)
abort 'no handshake' unless ssl('SSL_connect', [POINTER], INT, connection) == 1
ask.()
show.(second)
ssl('SSL_renegotiate', [POINTER], INT, connection)
if ssl('SSL_do_handshake', [POINTER], INT, connection) == 1
  puts ask.()&.split("\r\n\r\n", 2)&.last
else
  puts 'the server does not negotiate anew'
end
