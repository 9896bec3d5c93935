"""Embeds texts with the Python clients, and prints what they got.

    .venv/bin/python test/python/embed.py CLIENT URL CALL
"""

import json
import sys


def baseten(url, call):
    from baseten_performance_client import PerformanceClient, RequestProcessingPreference

    accept = {"Accept": call["accept"]} if call["accept"] else None
    preference = RequestProcessingPreference(max_retries=0, extra_headers=accept)
    client = PerformanceClient(url, "unused", http_version=call["http_version"])
    response = client.embed(
        call["texts"], call["model"], encoding_format=call["encoding"], preference=preference
    )
    vectors = [item.embedding for item in response.data]
    array = None
    if call["encoding"] == "float":
        array = response.numpy()
        assert array.tolist() == vectors
    return {
        "array": array is not None and {"shape": array.shape, "dtype": str(array.dtype)} or None,
        "vectors": vectors,
        "indices": [item.index for item in response.data],
        "model": response.model,
        "tokens": [response.usage.prompt_tokens, response.usage.total_tokens],
        "headers": [dict(headers) for headers in response.response_headers],
    }


def openai(url, call):
    if not call["numpy"]:
        # The package then reads base64 by other means.
        sys.modules["numpy"] = None
    from openai import BadRequestError, OpenAI

    client = OpenAI(base_url=url, api_key="unused", max_retries=0)
    answers = [
        client.embeddings.create(model=call["model"], input=call["texts"], **fields)
        for fields in call["fields"]
    ]
    try:
        client.embeddings.create(model=call["model"], input=[[15339, 1917]])
        refusal = None
    except BadRequestError as error:
        refusal = str(error)
    return {
        "vectors": [[item.embedding for item in answer.data] for answer in answers],
        "tokens": [answer.usage.prompt_tokens for answer in answers],
        "refusal": refusal,
        "models": [model.id for model in client.models.list()],
    }


def langchain(url, call):
    import tiktoken
    from langchain_openai import OpenAIEmbeddings
    from openai import BadRequestError

    # In place of the vocabulary of this name, which would be downloaded: a token for each byte.
    tiktoken.registry.ENCODINGS["cl100k_base"] = tiktoken.Encoding(
        "cl100k_base",
        pat_str=r"[\s\S]",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens={},
    )

    def embeddings(**options):
        return OpenAIEmbeddings(
            model=call["model"], base_url=url, api_key="unused", max_retries=0, **options
        )

    texts = embeddings(check_embedding_ctx_length=False)
    try:
        refusal = str(embeddings().embed_query("hello world"))
    except BadRequestError as error:
        refusal = str(error)
    return {
        "vectors": texts.embed_documents(call["texts"]),
        "query": texts.embed_query(call["texts"][0]),
        "refusal": refusal,
    }


CLIENTS = {"baseten": baseten, "openai": openai, "langchain": langchain}

if __name__ == "__main__":
    _, name, base, given = sys.argv
    print(json.dumps(CLIENTS[name](base, json.loads(given))))
