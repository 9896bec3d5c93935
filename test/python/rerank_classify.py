"""Reranks and classifies with the Python clients, and prints what they got.

    .venv/bin/python test/python/rerank_classify.py CLIENT URL CALL
"""

import json
import sys


def baseten(url, call):
    from baseten_performance_client import PerformanceClient, RequestProcessingPreference

    accept = {"Accept": call["accept"]} if call["accept"] else None
    preference = RequestProcessingPreference(
        batch_size=call["batch_size"], max_retries=0, extra_headers=accept
    )
    client = PerformanceClient(url, "unused", http_version=call["http_version"])
    options = {"preference": preference, "raw_scores": call["raw"]}
    reranked = client.rerank(
        call["query"], call["texts"], model=call["reranker"], return_text=True, **options
    )
    classified = client.classify(call["inputs"], model=call["classifier"], **options)
    return {
        "reranked": [[item.index, item.score, item.text] for item in reranked.data],
        "classified": [[[item.label, item.score] for item in labels] for labels in classified.data],
    }


def langchain(url, call):
    from langchain_cohere import CohereRerank
    from langchain_core.documents import Document

    reranker = CohereRerank(
        base_url=url, cohere_api_key="unused", model=call["reranker"], top_n=call["top_n"]
    )
    documents = [
        Document(page_content=text, metadata={"at": at}) for at, text in enumerate(call["texts"])
    ]
    ranked = reranker.compress_documents(documents, call["query"])
    return [
        [item.metadata["at"], item.metadata["relevance_score"], item.page_content]
        for item in ranked
    ]


def cohere(url, call):
    import cohere as sdk

    client = sdk.Client(base_url=f"{url}/v3", api_key="unused")
    answer = client.rerank(
        query=call["query"],
        documents=call["texts"],
        model=call["reranker"],
        top_n=call["top_n"],
        return_documents=True,
    )
    return [[item.index, item.relevance_score, item.document.text] for item in answer.results]


def plain(url, call):
    import requests

    body = {
        "model": call["reranker"],
        "query": call["query"],
        "documents": [{"text": text} for text in call["texts"]],
        "top_n": call["top_n"],
        "return_documents": True,
    }
    response = requests.post(f"{url}/v3/rerank", json=body, timeout=30)
    response.raise_for_status()
    return [
        [item["index"], item["relevance_score"], item["document"]["text"]]
        for item in response.json()["results"]
    ]


CLIENTS = {"baseten": baseten, "langchain": langchain, "cohere": cohere, "requests": plain}

if __name__ == "__main__":
    _, name, base, given = sys.argv
    print(json.dumps(CLIENTS[name](base, json.loads(given))))
