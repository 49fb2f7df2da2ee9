;; Reads JSON strings, a line each, and prints what PuppetDB's own PQL makes of them, a line of JSON each:
;; {"ast": ...}, {"error": "..."} for what its parser says, {"failure": "..."} for any other exception.
(require '[cheshire.core :as json] '[puppetlabs.puppetdb.pql :as pql])
(doseq [line (line-seq (java.io.BufferedReader. *in*))]
  (println
   (json/generate-string
    (try
      {:ast (pql/parse-pql-query (json/parse-string line))}
      (catch IllegalArgumentException e
        {(if (instance? NumberFormatException e) :failure :error) (.getMessage e)})
      (catch Exception e
        {:failure (.getMessage e)})))))
