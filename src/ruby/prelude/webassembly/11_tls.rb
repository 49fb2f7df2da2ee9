# What code says of TLS when it reads a page: the host looks after it, whatever that is. The library for WebAssembly has none.
module OpenSSL
  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1
    VERIFY_FAIL_IF_NO_PEER_CERT = 2
    VERIFY_CLIENT_ONCE = 4
    TLS1_VERSION = 0x0301
    TLS1_1_VERSION = 0x0302
    TLS1_2_VERSION = 0x0303
    TLS1_3_VERSION = 0x0304

    class SSLError < OpenSSLError; end
  end

  module X509
    class Store
      %i[add_file add_path add_cert set_default_paths].each do |name|
        alias_method :"plumb_#{name}", name
        define_method(name) { |*| self }
      end
    end
  end
end
