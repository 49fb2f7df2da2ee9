# A block passed to a method of zlib ends the interpreter in WebAssembly: zlib calls it from a function that cannot unwind.
# The methods therefore run without the block, which then receives the complete result. Net::HTTP passes a block to unpack responses.
require 'zlib'
module Plumb
  module BlocksOfZlib
    { Zlib::Inflate => %i[inflate], Zlib::Deflate => %i[deflate flush], Zlib::ZStream => %i[finish flush_next_out] }.each do |owner, names|
      owner.prepend(Module.new do
        names.each do |name|
          define_method(name) do |*arguments, **options, &block|
            result = super(*arguments, **options, &nil)
            next result unless block

            block.call(result) unless result.empty?
            nil
          end
        end
      end)
    end
  end
end
