"""The learner's page: one list whose items are moved by hand, with NDCG computed anew at every move."""
