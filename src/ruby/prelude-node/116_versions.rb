# Puppet's order of versions, without asking the host: facts compare many.
module Puppet
  module Util
    module Package
      TOKEN = /[-.]|\d+|[^-.\d]+/

      def versioncmp(one, other, *)
        lefts, rights = [one, other].map { |version| version.to_s.scan(TOKEN) }
        lefts.zip(rights).each do |left, right|
          break if right.nil?
          next if left == right

          return Package.compare_tokens(left, right)
        end
        one.to_s <=> other.to_s
      end
      module_function :versioncmp

      def self.compare_tokens(one, other)
        %w[- .].each do |separator|
          return -1 if one == separator
          return 1 if other == separator
        end
        numbers = [one, other].all? { |token| token.match?(/\A[1-9]\d*\z/) }
        numbers ? one.to_i <=> other.to_i : one.upcase <=> other.upcase
      end
    end
  end
end
